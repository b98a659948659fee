package Seeds;
# What the environment seeds; the README of doorkeeper lists the variables.
use strict;
use warnings;
use Mojo::JSON qw(decode_json);

sub uris {
    my $text = shift // '';
    $text =~ s/^\s+|\s+$//g;
    return $text =~ /^\[/ ? @{ decode_json($text) } : split ' ', $text;
}
sub value { my ( $name, $else ) = @_; my $got = $ENV{$name}; return defined $got && length $got ? decode_json($got) : $else }

our @clients = grep { defined $_->{id} && length $_->{id} } (
    {   id     => $ENV{SEED_CLIENT_ID}     // 'test-client',
        secret => $ENV{SEED_CLIENT_SECRET} // 'test-secret',
        name   => $ENV{SEED_CLIENT_NAME}   // 'Conformance client',
        uris   => [ uris( $ENV{SEED_REDIRECT_URIS} // 'http://127.0.0.1:9999/callback' ) ],
    },
    {   id     => $ENV{SEED_CLIENT2_ID},
        secret => $ENV{SEED_CLIENT2_SECRET},
        name   => $ENV{SEED_CLIENT2_NAME} // 'Other client',
        uris   => [ uris( $ENV{SEED_CLIENT2_REDIRECT_URIS} ) ],
    },
);
our @users    = @{ value( 'SEED_USERS', [ { email => 'owner@example.test', password => 'owner-password' } ] ) };
our @projects = map { ref $_ ? "$_->{id}" : "$_" } @{ value( 'SEED_PROJECTS', [ '101', '102' ] ) };
our @people   = @{
    value( 'SEED_ASSIGNABLE_USERS',
        [ map { { id => "$_", first_name => "First$_", last_name => "Last$_", email_address => "u$_\@example.test" } } 501 .. 504 ] )
};
our %assigned = ( map( { $_ => [] } @projects ), %{ value( 'SEED_ASSIGNMENTS', {} ) } );
@$_ = map {"$_"} @$_ for values %assigned;
1;
