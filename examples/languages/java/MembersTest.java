import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** The tests, without a framework: `java -cp FOLDER MembersTest`. With JUnit, marks stand in an extension and the verdict is a class of its own that runs last. */
public final class MembersTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  interface Work {
    void run() throws Exception;
  }

  /** A request to the emulator's control port: clock, marks, the verdict. A refusal is an error with its body. */
  static String control(String method, String path, String body, Integer... also) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(System.getenv("LEGACY_CONTROL_URL") + path))
            .header("Authorization", "Bearer " + System.getenv("LEGACY_CONTROL_TOKEN"))
            .method(method, HttpRequest.BodyPublishers.ofString(body));
    var answer = CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() >= 400 && !Arrays.asList(also).contains(answer.statusCode()))
      throw new AssertionError(method + " " + path + ": status " + answer.statusCode() + ": " + answer.body());
    return answer.body();
  }

  static void test(String name, Work work) throws Exception {
    control("PUT", "/mark", "{\"mark\": \"" + name + "\"}");
    try {
      work.run();
    } finally {
      control("PUT", "/mark", "{\"mark\": null}");
    }
    System.out.println("ok " + name);
  }

  /** The query that the service sends the user's browser back with: `--auto-consent` grants without a page. */
  static Map<String, String> granted(String address) throws Exception {
    var answer = CLIENT.send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.discarding());
    var query = URI.create(answer.headers().firstValue("location").orElseThrow()).getRawQuery();
    return Arrays.stream(query.split("&"))
        .map(one -> one.split("=", 2))
        .collect(Collectors.toMap(one -> one[0], one -> URLDecoder.decode(one[1], StandardCharsets.UTF_8)));
  }

  static void expect(boolean holds, String what) {
    if (!holds) throw new AssertionError(what);
  }

  public static void main(String[] args) throws Exception {
    Members members = new Members();
    String user = System.getenv("LEGACY_USER_ID");
    control("PUT", "/mark", "{\"mark\": null}"); // a run that was killed may have left one
    control("DELETE", "/client-report", "");
    test("connect", () -> {
      var begun = members.connect();
      members.callback(granted(begun.address()), begun.state());
      expect(members.list().length() > 2, "users are listed");
    });
    test("assign", () -> {
      members.assign(user);
      expect(members.list().contains(user), "the user is listed");
      members.unassign(user);
      expect(!members.list().contains(user), "the user is not listed");
    });
    test("expiry", () -> {
      // Twice: a client that keeps its first refresh token fails at the second expiry.
      for (int times = 0; times < 2; times++) {
        control("POST", "/clock/advance", "{\"seconds\": 7201}");
        expect(members.list().length() > 2, "users are listed after the refresh");
      }
    });
    // The last test is the verdict on all requests.
    String verdict = control("GET", "/client-report?format=exit&strict=true", "", 409, 425);
    expect(verdict.endsWith("exit code 0\n"),
        verdict + control("GET", "/client-report?format=text&verbose=true&strict=true", ""));
    System.out.println("ok verdict");
  }
}
