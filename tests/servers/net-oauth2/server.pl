#!/usr/bin/perl
# Net::OAuth2::AuthorizationServer under Mojolicious: the routes are those of Mojolicious::Plugin::OAuth2::Server.
# Listens on 127.0.0.1:$PORT (0 picks a free port), and prints `ready ADDRESS`.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use Clock;    # before everything that asks for the time
use Mojolicious::Lite -signatures;
use Mojo::Server::Daemon;
use Mojo::Util qw(secure_compare);
use Crypt::PRNG qw(random_string random_bytes);
use MIME::Base64 qw(encode_base64);
use Net::OAuth2::AuthorizationServer;
use Seeds;
use Variants;

$| = 1;
my $repaired = !is('as-is');
my %SCOPES   = ( read => 'Look at your projects', write => 'Change your projects', destroy => 'Delete from your projects' );
my %client   = map { $_->{id} => $_ } @Seeds::clients;

my $grant = Net::OAuth2::AuthorizationServer->new->auth_code_grant(
    clients => {
        map { $_->{id} => { client_secret => $_->{secret}, scopes => { map { $_ => 1 } keys %SCOPES } } } @Seeds::clients
    },
    # repair: exchange.expires-in-7200 refresh.expires-in-7200 lifetime.alive-until-7200 lifetime.refreshed-full
    ( $repaired ? ( access_token_ttl => 7200 ) : () ),
    # end of repair
    ( is('jwt') ? ( jwt_secret => random_string(40), auth_code_ttl => 300 ) : () ),
);

app->secrets( [ random_string(40) ] );
app->log->level('error');

# ---- pages
sub page ( $c, $template, $title, %stash ) {
    $c->res->headers->cache_control('no-store')->header( 'X-Frame-Options' => 'DENY' );
    return $c->render( template => $template, title => $title, %stash );
}

get '/oauth/login' => sub ($c) { page( $c, 'login', 'Log in please', problem => 0 ) };
post '/oauth/login' => sub ($c) {
    my ( $name, $word ) = map { $c->param($_) // '' } qw(username password);
    my ($user) = grep { $_->{email} eq $name && $_->{password} eq $word } @Seeds::users;
    return page( $c, 'login', 'Log in please', problem => 1, status => 401 )
        if !$user || $c->validation->csrf_protect->has_error('csrf_token');
    $c->session( user => $user->{email} );
    $c->res->code(303);
    return $c->redirect_to( delete $c->session->{next} // '/oauth/login' );
};

# ---- authorization request
sub back ( $c, $uri, @query ) {
    $c->res->code(303) if is('odd-codes');
    return $c->redirect_to( Mojo::URL->new($uri)->query( [@query] ) );
}
sub refused ( $c, $why ) { return page( $c, 'refused', 'That cannot be done', why => $why, status => 400 ) }

any [ 'GET', 'POST' ] => '/oauth/authorize' => sub ($c) {
    my ( $id, $uri, $type, $scope, $state ) =
        map { $c->req->query_params->param($_) } qw(client_id redirect_uri response_type scope state);
    my @state  = defined $state ? ( state => $state ) : ();
    my @scopes = split / /, $scope // '';

    return refused( $c, 'A parameter is missing' ) unless defined $id && defined $uri;
    # repair: authorize.redirect-uri-authorized
    return refused( $c, 'Unknown application, or an address that it has not authorized' )
        if $repaired && !grep { $_ eq $uri } @{ ( $client{$id} // {} )->{uris} // [] };
    # end of repair
    return back( $c, $uri, error => 'invalid_request', @state ) unless defined $type;
    return back( $c, $uri, error => 'unsupported_response_type', @state ) if $type ne 'code';
    my ( $fine, $error ) = $grant->verify_client( client_id => $id, scopes => \@scopes );
    return back( $c, $uri, error => $error, @state ) unless $fine;
    return back( $c, $uri, error => 'invalid_scope', @state ) if $repaired && !@scopes;

    my $here = $c->req->url->path_query;
    if ( !$c->session('user') ) {
        $c->session( next => $here );
        return $c->redirect_to('/oauth/login');
    }
    my $answer = $c->req->method eq 'POST' ? $c->req->body_params->param('answer') : undef;
    return page( $c, 'consent', 'Permission', name => $client{$id}{name}, wants => [ @SCOPES{@scopes} ], action => $here )
        if !$answer || $c->validation->csrf_protect->has_error('csrf_token');
    return back( $c, $uri, error => 'access_denied', @state ) if $answer ne 'grant';

    my $code = $grant->token(
        client_id    => $id,
        scopes       => \@scopes,
        type         => 'auth',
        redirect_uri => $uri,
        user_id      => $c->session('user'),
    );
    $code = encode_base64( random_bytes(25), '' ) . "+/$code" if is('odd-codes');
    $grant->store_auth_code( auth_code => $code, client_id => $id, redirect_uri => $uri, scopes => \@scopes );
    my @beside = is('odd-codes') ? ( session_state => random_string(20), scope => "@scopes" ) : ();
    return back( $c, $uri, @beside, code => $code, @state );
};

# ---- token endpoint
sub fail ( $c, $error, $status = 400 ) { return $c->render( json => { error => $error }, status => $status ) }

my %spent;    # codes and refresh tokens, which the library forgets if they are JWTs
my %grace;    # refresh token => the time until which it may be used again

# repair: refresh.token-unknown-refused exchange.code-bound-to-client refresh.bound-to-client
# Tells that a code or a refresh token is this client's, and may be used.
sub usable ( $id, $code, $refresh ) {
    return 1 unless $repaired;
    return !$spent{ $code // $refresh } if is('jwt');
    return 0 if defined $refresh && ( $grace{$refresh} // time ) < time;
    my $held = defined $code ? $grant->auth_codes->{$code} : $grant->refresh_tokens->{$refresh};
    return $held && $held->{client_id} eq $id;
}
# end of repair

post '/oauth/token' => sub ($c) {
    my $body = $c->req->body_params;
    my ( $id, $secret, $type, $code, $uri, $refresh ) =
        map { $body->param($_) } qw(client_id client_secret grant_type code redirect_uri refresh_token);
    $c->res->headers->cache_control('no-store');

    return fail( $c, 'invalid_request' ) unless defined $type;
    return fail( $c, 'unsupported_grant_type' ) unless $type =~ /^(authorization_code|refresh_token)$/;
    my $refreshes = $type eq 'refresh_token';
    ( $refreshes ? $code : $refresh ) = undef;
    return fail( $c, 'invalid_request' ) unless $refreshes ? defined $refresh : defined $code && defined $uri;
    # repair: exchange.requires-redirect-uri
    return fail( $c, 'invalid_request' ) if $repaired && !$refreshes && !length $uri;
    # end of repair
    # repair: refresh.requires-client-id refresh.requires-client-secret refresh.client-id-checked refresh.client-secret-checked
    return fail( $c, 'invalid_client', 401 )
        if $repaired && !( $client{ $id // '' } && secure_compare( $secret // '', $client{$id}{secret} ) );
    # end of repair
    return fail( $c, 'invalid_grant' ) unless usable( $id, $code, $refresh );

    my ( $who, $error, $scopes, $user ) =
        $refreshes
        ? $grant->verify_token_and_scope( refresh_token => $refresh, auth_header => $c->req->headers->authorization )
        : $grant->verify_auth_code( client_id => $id, client_secret => $secret, auth_code => $code, redirect_uri => $uri );
    return fail( $c, $error // 'invalid_grant' ) unless $who;
    if ( is('jwt') ) {
        return fail( $c, 'invalid_grant' ) if $refreshes && ( $who->{type} ne 'refresh' || $who->{client} ne $id );
        $spent{ $code // $refresh } = 1;
    }

    my $owner = $id // $who->{client_id};
    my ( $access, $next ) = map {
        $grant->token( client_id => $owner, scopes => $scopes, type => $_, redirect_uri => $uri, user_id => $user )
    } qw(access refresh);
    my $old_access = is('refresh-grace') && $refreshes && $grant->access_tokens->{ $who->{access_token} };
    $grant->store_access_token(
        client_id => $owner,
        ( $refreshes ? ( old_refresh_token => $refresh ) : ( auth_code => $code ) ),
        access_token  => $access,
        refresh_token => $next,
        scopes        => $scopes,
    );
    if ( is('refresh-grace') && $refreshes ) {
        $grace{$refresh} //= time + 10;
        $grant->refresh_tokens->{$refresh} = $who;
        $grant->access_tokens->{ $who->{access_token} } = $old_access if $old_access;
    }
    if ( is('newest-refresh-token') ) {
        my $held = $grant->refresh_tokens;
        delete @$held{ grep { $_ ne $next && $held->{$_}{client_id} eq $owner } keys %$held };
    }
    return $c->render(
        json => {
            access_token => $access,
            # repair: exchange.token-type-bearer refresh.token-type-bearer
            token_type => $repaired ? 'bearer' : 'Bearer',
            # end of repair
            expires_in    => $grant->get_access_token_ttl( scopes => $scopes, client_id => $owner ),
            refresh_token => $next,
        }
    );
};

# ---- assigned users
my %NEEDS  = ( GET => 'read', HEAD => 'read', PUT => 'write', DELETE => 'destroy' );
my %person = map { $_->{id} => $_ } @Seeds::people;

sub problem ( $c, $status, $title ) { $c->render( status => $status, json => { errors => [ { title => $title } ] } ) }

under '/v2' => sub ($c) {
    my ( $who, $error ) = $grant->verify_token_and_scope( auth_header => $c->req->headers->authorization, scopes => [] );
    if ( !$who ) {
        $c->res->headers->www_authenticate('Bearer');
        problem( $c, 401, $error );
        return undef;
    }
    my $needs = $NEEDS{ $c->req->method };
    return 1 if !$needs || grep { $_ eq $needs } @{ $who->{scope} // $who->{scopes} };
    problem( $c, 403, 'insufficient_scope' );
    return undef;
};

# The users of the project, if the project and the user of the path exist.
sub here ($c) {
    my $here = $Seeds::assigned{ $c->param('id') };
    my $user = $c->param('user_id');
    return $here if $here && ( !defined $user || $person{$user} );
    problem( $c, 404, 'not found' );
    return undef;
}
sub record ($id) {
    return { type => 'user', id => $id, attributes => { name => "$person{$id}{first_name} $person{$id}{last_name}" } };
}

get '/projects/:id/assigned_users' => sub ($c) {
    my $here = here($c) or return;
    $c->render( json => { data => [ map { record($_) } @$here ] } );
};
put '/projects/:id/assigned_users/:user_id' => sub ($c) {
    my $here = here($c) or return;
    my $user = $c->param('user_id');
    push @$here, $user unless grep { $_ eq $user } @$here;
    $c->rendered(204);
};
del '/projects/:id/assigned_users/:user_id' => sub ($c) {
    my $here = here($c) or return;
    my $user = $c->param('user_id');
    @$here = grep { $_ ne $user } @$here;
    $c->rendered(204);
};

# ---- the clock
under '/';
post '/clock/advance' => sub ($c) {
    my $token = $ENV{SEED_CLOCK_TOKEN} or return $c->reply->not_found;
    return $c->rendered(401) unless ( $c->req->headers->authorization // '' ) eq "Bearer $token";
    Clock::advance( $c->req->json->{seconds} );
    $c->rendered(204);
};

my $listen = 'http://127.0.0.1:' . ( $ENV{PORT} // 4770 );
my $daemon = Mojo::Server::Daemon->new( app => app, listen => [$listen], silent => 1 )->start;
print 'ready http://127.0.0.1:', $daemon->ports->[0], "\n";
$SIG{INT} = $SIG{TERM} = sub { exit 0 };
Mojo::IOLoop->start;

__DATA__
@@ layouts/main.html.ep
<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title><%= title %></title></head>
<body><h1><%= title %></h1>
<%= content %>
</body></html>
@@ login.html.ep
% layout 'main';
% if ($problem) {
<p role="alert">Unknown name or wrong password</p>
% }
%= form_for '/oauth/login' => (method => 'POST') => begin
%= csrf_field
<label>Name <%= text_field 'username' %></label>
<label>Password <%= password_field 'password' %></label>
%= submit_button 'Log in'
% end
@@ consent.html.ep
% layout 'main';
<p><%= $name %> would like to:</p>
<ul>
% for my $one (@$wants) {
<li><%= $one %></li>
% }
</ul>
<form method="post" action="<%= $action %>">
%= csrf_field
<button name="answer" value="grant">Allow this</button>
<button name="answer" value="deny">Do not allow</button>
</form>
@@ refused.html.ep
% layout 'main';
<p role="alert"><%= $why %></p>
@@ not_found.html.ep
% layout 'main';
% title 'Not found';
@@ exception.html.ep
% layout 'main';
% title 'Something went wrong';
