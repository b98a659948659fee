<?php
declare(strict_types=1);
require __DIR__ . '/Members.php';

/** A request to the emulator's control port: clock, marks, the verdict. A refusal is an exception with its body. */
function control(string $method, string $path, ?array $body = null, array $also = []): string
{
    $context = stream_context_create(['http' => ['method' => $method, 'ignore_errors' => true, 'content' => json_encode($body) ?: '',
        'header' => ['Authorization: Bearer ' . getenv('LEGACY_CONTROL_TOKEN'), 'Content-Type: application/json']]]);
    $answer = file_get_contents(getenv('LEGACY_CONTROL_URL') . $path, false, $context);
    $status = (int) explode(' ', $http_response_header[0])[1];
    if ($status >= 400 && !in_array($status, $also)) throw new RuntimeException("$method $path: status $status: $answer");
    return $answer;
}

/** The query that the service sends the user's browser back with: `--auto-consent` grants without a page. */
function granted(string $address): array
{
    $context = stream_context_create(['http' => ['follow_location' => 0, 'ignore_errors' => true]]);
    file_get_contents($address, false, $context);
    foreach ($http_response_header as $line)
        if (preg_match('/^Location: (.*)$/i', $line, $found)) parse_str(parse_url(trim($found[1]), PHP_URL_QUERY), $query);
    return $query;
}

function test(string $name, callable $work): void
{
    control('PUT', '/mark', ['mark' => $name]);
    try {
        $work();
    } finally {
        control('PUT', '/mark', ['mark' => null]);
    }
    echo "ok $name\n";
}

function expect(bool $holds, string $what): void
{
    if (!$holds) throw new RuntimeException("failed: $what");
}

control('PUT', '/mark', ['mark' => null]); // a run that was killed may have left one
control('DELETE', '/client-report');
$members = new Members(tempnam(sys_get_temp_dir(), 'tokens'));
$user = getenv('LEGACY_USER_ID');

test('connect', function () use ($members) {
    [$address, $state] = $members->connect();
    $members->callback(granted($address), $state);
    expect(count($members->list()) > 0, 'users are listed');
});
test('assign', function () use ($members, $user) {
    $before = count($members->list());
    $members->assign($user);
    expect(count($members->list()) === $before + 1, 'the user is listed');
    $members->unassign($user);
    expect(count($members->list()) === $before, 'the user is not listed');
});
test('expiry', function () use ($members) {
    // Twice: a client that keeps its first refresh token fails at the second expiry.
    for ($times = 0; $times < 2; $times++) {
        control('POST', '/clock/advance', ['seconds' => 7201]);
        expect(count($members->list()) > 0, 'users are listed after the refresh');
    }
});
// The last test is the verdict on all requests.
$verdict = control('GET', '/client-report?format=exit&strict=true', null, [409, 425]);
expect(str_ends_with($verdict, "exit code 0\n"), $verdict . control('GET', '/client-report?format=text&verbose=true&strict=true'));
echo "ok verdict\n";
