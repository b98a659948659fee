package members

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

// control sends a request to the emulator's control port: clock, marks, the verdict. A refusal fails the test with its body.
func control(t *testing.T, method, path, body string, also ...int) string {
	t.Helper()
	request, err := http.NewRequest(method, os.Getenv("LEGACY_CONTROL_URL")+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("LEGACY_CONTROL_TOKEN"))
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, _ := io.ReadAll(answer.Body)
	expected := answer.StatusCode < 400
	for _, status := range also {
		expected = expected || answer.StatusCode == status
	}
	if !expected {
		t.Fatalf("%s %s: status %d: %s", method, path, answer.StatusCode, text)
	}
	return string(text)
}

// mark names the test in each finding.
func mark(t *testing.T) {
	control(t, "PUT", "/mark", `{"mark": "`+t.Name()+`"}`)
	t.Cleanup(func() { control(t, "PUT", "/mark", `{"mark": null}`) })
}

// granted returns the query that the service sends the user's browser back with: `--auto-consent` grants without a page.
func granted(t *testing.T, address string) url.Values {
	answer, err := client.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	back, err := answer.Location()
	if err != nil {
		t.Fatal(err)
	}
	return back.Query()
}

func users(t *testing.T, m *Members) int {
	listed, err := m.List()
	if err != nil {
		t.Fatal(err)
	}
	return len(listed)
}

var shared Members

func TestConnect(t *testing.T) {
	control(t, "PUT", "/mark", `{"mark": null}`) // a run that was killed may have left one
	control(t, "DELETE", "/client-report", "")
	mark(t)
	address, state := shared.Connect()
	if err := shared.Callback(granted(t, address), state); err != nil {
		t.Fatal(err)
	}
	if users(t, &shared) == 0 {
		t.Fatal("no user is listed")
	}
}

func TestAssign(t *testing.T) {
	mark(t)
	user, before := os.Getenv("LEGACY_USER_ID"), users(t, &shared)
	if err := shared.Assign(user); err != nil {
		t.Fatal(err)
	}
	if users(t, &shared) != before+1 {
		t.Fatal("the user is not listed")
	}
	if err := shared.Unassign(user); err != nil {
		t.Fatal(err)
	}
}

func TestExpiry(t *testing.T) {
	mark(t)
	// Twice: a client that keeps its first refresh token fails at the second expiry.
	for times := 0; times < 2; times++ {
		control(t, "POST", "/clock/advance", `{"seconds": 7201}`)
		if users(t, &shared) == 0 {
			t.Fatal("no user is listed after the refresh")
		}
	}
}

// TestVerdict is the verdict on all requests. It stands last, because Go runs tests in the order of the files and lines.
func TestVerdict(t *testing.T) {
	verdict := control(t, "GET", "/client-report?format=exit&strict=true", "", 409, 425)
	if !strings.HasSuffix(verdict, "exit code 0\n") {
		t.Fatal(verdict + control(t, "GET", "/client-report?format=text&verbose=true&strict=true", ""))
	}
}
