import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lists, assigns and unassigns the users of a project. Holds the pair of one user; one refresh at a time. */
public final class Members {
  /** The address to send the user to, and the state that must come back in the same session. */
  public record Begun(String address, String state) {}

  private record Pair(String accessToken, String refreshToken) {}

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().followRedirects(HttpClient.Redirect.NEVER).connectTimeout(Duration.ofSeconds(10)).build();

  private Pair pair;

  public Begun connect() {
    byte[] bytes = new byte[24];
    new SecureRandom().nextBytes(bytes);
    String state = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    Map<String, String> query = new LinkedHashMap<>();
    query.put("client_id", env("CLIENT_ID"));
    query.put("redirect_uri", env("REDIRECT_URI"));
    query.put("response_type", "code");
    query.put("scope", "read write destroy");
    query.put("state", state);
    return new Begun(env("AUTH_URL") + "/oauth/authorize?" + form(query), state);
  }

  /** Takes the query of the request to the redirect address. */
  public synchronized void callback(Map<String, String> query, String state) throws IOException, InterruptedException {
    if (!state.equals(query.get("state"))) throw new IOException("the state is of another sign-in");
    if (query.get("code") == null) throw new IOException("not granted: " + query.get("error"));
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("grant_type", "authorization_code");
    fields.put("code", query.get("code"));
    fields.put("redirect_uri", env("REDIRECT_URI"));
    token(fields);
  }

  /** Returns the body of the list. */
  public String list() throws IOException, InterruptedException {
    return call("GET", "");
  }

  public void assign(String user) throws IOException, InterruptedException {
    call("PUT", "/" + encoded(user));
  }

  public void unassign(String user) throws IOException, InterruptedException {
    call("DELETE", "/" + encoded(user));
  }

  private synchronized String call(String method, String path) throws IOException, InterruptedException {
    String address = env("BASE_URL") + "/v2/projects/" + encoded(env("PROJECT_ID")) + "/assigned_users" + path;
    HttpResponse<String> answer = send(method, address, pair.accessToken(), null);
    if (answer.statusCode() == 401) {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("grant_type", "refresh_token");
      fields.put("refresh_token", pair.refreshToken());
      token(fields);
      answer = send(method, address, pair.accessToken(), null);
    }
    if (answer.statusCode() >= 300) throw new IOException(method + ": status " + answer.statusCode());
    return answer.body();
  }

  private void token(Map<String, String> fields) throws IOException, InterruptedException {
    fields.put("client_id", env("CLIENT_ID"));
    fields.put("client_secret", env("CLIENT_SECRET"));
    HttpResponse<String> answer = send("POST", env("AUTH_URL") + "/oauth/token", null, form(fields));
    if (answer.statusCode() != 200) throw new IOException("token endpoint: status " + answer.statusCode());
    // A JSON library does this in a real project. Both tokens replace the old pair at once.
    pair = new Pair(member(answer.body(), "access_token"), member(answer.body(), "refresh_token"));
  }

  private static HttpResponse<String> send(String method, String address, String token, String form)
      throws IOException, InterruptedException {
    HttpRequest.BodyPublisher body =
        form == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(form);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address)).timeout(Duration.ofSeconds(10)).method(method, body);
    if (token != null) request.header("Authorization", "Bearer " + token);
    if (form != null) request.header("Content-Type", "application/x-www-form-urlencoded");
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String member(String json, String name) throws IOException {
    var found = Pattern.compile("\"" + name + "\"\\s*:\\s*\"([^\"]+)\"").matcher(json);
    if (found.find()) return found.group(1);
    throw new IOException("the token response has no " + name);
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
        .collect(Collectors.joining("&"));
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  private static String env(String name) {
    return System.getenv("LEGACY_" + name);
  }
}
