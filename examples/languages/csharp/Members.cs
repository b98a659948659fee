using System.Net;
using System.Net.Http.Headers;
using System.Net.Http.Json;
using System.Security.Cryptography;
using System.Text.Json.Serialization;

/// <summary>Lists, assigns and unassigns the users of a project. Holds the pair of one user; one refresh at a time.</summary>
public sealed class Members
{
    private sealed record Pair(
        [property: JsonPropertyName("access_token")] string AccessToken,
        [property: JsonPropertyName("refresh_token")] string RefreshToken);

    private readonly HttpClient client = new(new HttpClientHandler { AllowAutoRedirect = false }) { Timeout = TimeSpan.FromSeconds(10) };
    private readonly SemaphoreSlim one = new(1);
    private Pair? pair;

    /// <summary>Returns the address to send the user to, and the state that must come back in the same session.</summary>
    public (string Address, string State) Connect()
    {
        var state = Convert.ToHexString(RandomNumberGenerator.GetBytes(16));
        var query = Form(("client_id", Env("CLIENT_ID")), ("redirect_uri", Env("REDIRECT_URI")),
            ("response_type", "code"), ("scope", "read write destroy"), ("state", state));
        return ($"{Env("AUTH_URL")}/oauth/authorize?{query.ReadAsStringAsync().Result}", state);
    }

    /// <summary>Takes code and state of the request to the redirect address.</summary>
    public async Task Callback(string? code, string? returned, string state)
    {
        if (returned != state) throw new InvalidOperationException("the state is of another sign-in");
        if (code is null) throw new InvalidOperationException("not granted");
        await one.WaitAsync();
        try { await Token(("grant_type", "authorization_code"), ("code", code), ("redirect_uri", Env("REDIRECT_URI"))); }
        finally { one.Release(); }
    }

    public async Task<string> List() => await (await Call(HttpMethod.Get, "")).Content.ReadAsStringAsync();

    public Task Assign(string user) => Call(HttpMethod.Put, "/" + Uri.EscapeDataString(user));

    public Task Unassign(string user) => Call(HttpMethod.Delete, "/" + Uri.EscapeDataString(user));

    private async Task<HttpResponseMessage> Call(HttpMethod method, string path)
    {
        await one.WaitAsync();
        try
        {
            var answer = await Send(method, path);
            if (answer.StatusCode == HttpStatusCode.Unauthorized)
            {
                await Token(("grant_type", "refresh_token"), ("refresh_token", pair!.RefreshToken));
                answer = await Send(method, path);
            }
            return answer.EnsureSuccessStatusCode();
        }
        finally { one.Release(); }
    }

    private Task<HttpResponseMessage> Send(HttpMethod method, string path)
    {
        var address = $"{Env("BASE_URL")}/v2/projects/{Uri.EscapeDataString(Env("PROJECT_ID"))}/assigned_users{path}";
        var request = new HttpRequestMessage(method, address);
        request.Headers.Authorization = new AuthenticationHeaderValue("Bearer", pair!.AccessToken);
        return client.SendAsync(request);
    }

    private async Task Token(params (string Name, string Value)[] fields)
    {
        var form = Form([.. fields, ("client_id", Env("CLIENT_ID")), ("client_secret", Env("CLIENT_SECRET"))]);
        var answer = await client.PostAsync($"{Env("AUTH_URL")}/oauth/token", form);
        // Both tokens replace the old pair at once.
        pair = await answer.EnsureSuccessStatusCode().Content.ReadFromJsonAsync<Pair>();
    }

    private static FormUrlEncodedContent Form(params (string Name, string Value)[] fields) =>
        new(fields.Select(one => KeyValuePair.Create(one.Name, one.Value)));

    private static string Env(string name) => Environment.GetEnvironmentVariable($"LEGACY_{name}")!;
}
