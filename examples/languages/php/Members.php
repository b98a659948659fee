<?php
declare(strict_types=1);

/** Lists, assigns and unassigns the users of a project. Keeps its pair of tokens in a file, which processes share by a lock. */
final class Members
{
    public function __construct(private string $store) {}

    /** Returns the address to send the user to, and the state that must come back in the same session. */
    public function connect(): array
    {
        $state = bin2hex(random_bytes(16));
        return [$this->env('AUTH_URL') . '/oauth/authorize?' . http_build_query([
            'client_id' => $this->env('CLIENT_ID'), 'redirect_uri' => $this->env('REDIRECT_URI'),
            'response_type' => 'code', 'scope' => 'read write destroy', 'state' => $state,
        ]), $state];
    }

    /** Takes the query of the request to the redirect address. */
    public function callback(array $query, string $state): void
    {
        if (!hash_equals($state, $query['state'] ?? '')) throw new RuntimeException('the state is of another sign-in');
        if (!isset($query['code'])) throw new RuntimeException('not granted: ' . ($query['error'] ?? 'no code'));
        $this->locked(fn () => $this->token([
            'grant_type' => 'authorization_code', 'code' => $query['code'], 'redirect_uri' => $this->env('REDIRECT_URI'),
        ]));
    }

    public function list(): array
    {
        return $this->call('GET', '');
    }

    public function assign(string $user): void
    {
        $this->call('PUT', '/' . rawurlencode($user));
    }

    public function unassign(string $user): void
    {
        $this->call('DELETE', '/' . rawurlencode($user));
    }

    private function call(string $method, string $path): array
    {
        $address = $this->env('BASE_URL') . '/v2/projects/' . rawurlencode($this->env('PROJECT_ID')) . '/assigned_users' . $path;
        $pair = $this->pair();
        [$status, $body] = $this->send($method, $address, ['Authorization: Bearer ' . $pair['access_token']]);
        if ($status === 401) {
            // Another process may have refreshed in the meantime: then its pair is the newest.
            $pair = $this->locked(fn () => $this->pair() === $pair ? $this->refresh($pair) : $this->pair());
            [$status, $body] = $this->send($method, $address, ['Authorization: Bearer ' . $pair['access_token']]);
        }
        if ($status >= 300) throw new RuntimeException("$method: status $status");
        return json_decode($body, true) ?? [];
    }

    private function refresh(array $pair): array
    {
        return $this->token(['grant_type' => 'refresh_token', 'refresh_token' => $pair['refresh_token']]);
    }

    private function token(array $fields): array
    {
        $fields += ['client_id' => $this->env('CLIENT_ID'), 'client_secret' => $this->env('CLIENT_SECRET')];
        [$status, $body] = $this->send('POST', $this->env('AUTH_URL') . '/oauth/token', [], http_build_query($fields));
        $pair = json_decode($body, true);
        if ($status !== 200 || !isset($pair['access_token'], $pair['refresh_token']))
            throw new RuntimeException("token endpoint: status $status");
        // Both tokens replace the old pair at once: the file is whole or old.
        file_put_contents("$this->store.new", json_encode($pair));
        rename("$this->store.new", $this->store);
        return $pair;
    }

    private function pair(): array
    {
        return json_decode(file_get_contents($this->store), true);
    }

    private function locked(callable $work): mixed
    {
        $lock = fopen("$this->store.lock", 'c');
        flock($lock, LOCK_EX);
        try {
            return $work();
        } finally {
            fclose($lock);
        }
    }

    private function send(string $method, string $address, array $headers, ?string $form = null): array
    {
        if ($form !== null) $headers[] = 'Content-Type: application/x-www-form-urlencoded';
        $context = stream_context_create(['http' => ['method' => $method, 'header' => $headers, 'content' => $form ?? '',
            'ignore_errors' => true, 'follow_location' => 0, 'timeout' => 10]]);
        $body = @file_get_contents($address, false, $context);
        if ($body === false) throw new RuntimeException("$method: no answer");
        return [(int) explode(' ', $http_response_header[0])[1], $body];
    }

    private function env(string $name): string
    {
        return getenv("LEGACY_$name") ?: throw new RuntimeException("LEGACY_$name is not set");
    }
}
