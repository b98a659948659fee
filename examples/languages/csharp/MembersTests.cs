using System.Net.Http.Headers;
using System.Net.Http.Json;
using Xunit;

/// <summary>The verdict on all requests, when every test of the class has run.</summary>
public sealed class Verdict : IAsyncLifetime
{
    private static readonly HttpClient Client = new()
    {
        BaseAddress = new Uri(Environment.GetEnvironmentVariable("LEGACY_CONTROL_URL")!),
        DefaultRequestHeaders = { Authorization = new AuthenticationHeaderValue("Bearer", Environment.GetEnvironmentVariable("LEGACY_CONTROL_TOKEN")) },
    };

    public Members Members { get; } = new();

    /// <summary>A request to the emulator's control port: clock, marks, the verdict.</summary>
    public static async Task<string> Control(HttpMethod method, string path, object? body = null)
    {
        var request = new HttpRequestMessage(method, path) { Content = body is null ? null : JsonContent.Create(body) };
        return await (await Client.SendAsync(request)).Content.ReadAsStringAsync();
    }

    public async Task InitializeAsync()
    {
        await Control(HttpMethod.Delete, "/client-report");
        var (address, state) = Members.Connect();
        using var browser = new HttpClient(new HttpClientHandler { AllowAutoRedirect = false });
        // `--auto-consent` grants without a page.
        var back = System.Web.HttpUtility.ParseQueryString((await browser.GetAsync(address)).Headers.Location!.Query);
        await Members.Callback(back["code"], back["state"], state);
    }

    public async Task DisposeAsync()
    {
        if ((await Control(HttpMethod.Get, "/client-report?format=exit&strict=true")).EndsWith("exit code 0\n")) return;
        throw new InvalidOperationException(await Control(HttpMethod.Get, "/client-report?format=text&strict=true"));
    }
}

public sealed class MembersTests(Verdict verdict) : IClassFixture<Verdict>
{
    [Fact]
    public async Task AssignsAndUnassigns()
    {
        var user = Environment.GetEnvironmentVariable("LEGACY_USER_ID")!;
        await verdict.Members.Assign(user);
        Assert.Contains(user, await verdict.Members.List());
        await verdict.Members.Unassign(user);
    }

    [Fact]
    public async Task RefreshesAfterExpiry()
    {
        await Verdict.Control(HttpMethod.Post, "/clock/advance", new { seconds = 7201 });
        Assert.NotEqual("[]", await verdict.Members.List());
    }
}
