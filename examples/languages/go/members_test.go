package members

import (
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"testing"
)

// control sends a request to the emulator's control port: clock, marks, the verdict.
func control(t testing.TB, method, path, body string) string {
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

func TestMain(m *testing.M) {
	code := m.Run()
	// The verdict on all requests is the last test.
	verdict := control(&testing.B{}, "GET", "/client-report?format=exit&strict=true", "")
	if !strings.HasSuffix(verdict, "exit code 0\n") {
		io.WriteString(os.Stderr, control(&testing.B{}, "GET", "/client-report?format=text&strict=true", ""))
		code = 1
	}
	os.Exit(code)
}

func TestConnect(t *testing.T) {
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
	control(t, "POST", "/clock/advance", `{"seconds": 7201}`)
	if users(t, &shared) == 0 {
		t.Fatal("no user is listed after the refresh")
	}
}
