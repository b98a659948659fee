// Package members lists, assigns and unassigns the users of a project.
package members

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"
)

// Pair is a token response as it is stored: both tokens at once.
type Pair struct {
	AccessToken  string `json:"access_token"`
	RefreshToken string `json:"refresh_token"`
}

// Members holds the pair of one user.
type Members struct {
	mutex sync.Mutex
	pair  Pair
}

var client = &http.Client{
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// Connect returns the address to send the user to, and the state that must come back in the same session.
func (m *Members) Connect() (address, state string) {
	bytes := make([]byte, 16)
	if _, err := rand.Read(bytes); err != nil {
		panic(err)
	}
	state = hex.EncodeToString(bytes)
	query := url.Values{
		"client_id": {env("CLIENT_ID")}, "redirect_uri": {env("REDIRECT_URI")},
		"response_type": {"code"}, "scope": {"read write destroy"}, "state": {state},
	}
	return env("AUTH_URL") + "/oauth/authorize?" + query.Encode(), state
}

// Callback takes the query of the request to the redirect address.
func (m *Members) Callback(query url.Values, state string) error {
	if subtle.ConstantTimeCompare([]byte(query.Get("state")), []byte(state)) != 1 {
		return fmt.Errorf("the state is of another sign-in")
	}
	if query.Get("code") == "" {
		return fmt.Errorf("not granted: %s", query.Get("error"))
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	return m.token(url.Values{
		"grant_type": {"authorization_code"}, "code": {query.Get("code")}, "redirect_uri": {env("REDIRECT_URI")},
	})
}

// List returns the users as the service lists them.
func (m *Members) List() (users []json.RawMessage, err error) {
	err = m.call("GET", "", &users)
	return users, err
}

// Assign assigns a user.
func (m *Members) Assign(user string) error { return m.call("PUT", "/"+url.PathEscape(user), nil) }

// Unassign removes a user.
func (m *Members) Unassign(user string) error { return m.call("DELETE", "/"+url.PathEscape(user), nil) }

func (m *Members) call(method, path string, into any) error {
	address := env("BASE_URL") + "/v2/projects/" + url.PathEscape(env("PROJECT_ID")) + "/assigned_users" + path
	// One refresh at a time: the others wait for its pair.
	m.mutex.Lock()
	defer m.mutex.Unlock()
	answer, err := send(method, address, m.pair.AccessToken, nil)
	if err == nil && answer.StatusCode == http.StatusUnauthorized {
		answer.Body.Close()
		if err = m.token(url.Values{"grant_type": {"refresh_token"}, "refresh_token": {m.pair.RefreshToken}}); err != nil {
			return err
		}
		answer, err = send(method, address, m.pair.AccessToken, nil)
	}
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode >= 300 {
		return fmt.Errorf("%s: status %d", method, answer.StatusCode)
	}
	if into == nil {
		return nil
	}
	return json.NewDecoder(answer.Body).Decode(into)
}

func (m *Members) token(form url.Values) error {
	form.Set("client_id", env("CLIENT_ID"))
	form.Set("client_secret", env("CLIENT_SECRET"))
	answer, err := send("POST", env("AUTH_URL")+"/oauth/token", "", form)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var pair Pair
	err = json.NewDecoder(answer.Body).Decode(&pair)
	if answer.StatusCode != http.StatusOK || err != nil || pair.AccessToken == "" || pair.RefreshToken == "" {
		return fmt.Errorf("token endpoint: status %d", answer.StatusCode)
	}
	m.pair = pair
	return nil
}

func send(method, address, token string, form url.Values) (*http.Response, error) {
	request, err := http.NewRequest(method, address, strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	if form != nil {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return client.Do(request)
}

func env(name string) string { return os.Getenv("LEGACY_" + name) }
