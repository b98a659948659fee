package Variants;
# The settings, which server.yaml describes. $VARIANT names one; `is('name')` marks its lines.
use strict;
use warnings;
use Exporter 'import';
our @EXPORT = qw(is);

my @names = qw(conforming as-is jwt refresh-grace odd-codes newest-refresh-token);
my $name  = $ENV{VARIANT} || 'conforming';
if ( !grep { $_ eq $name } @names ) {
    print STDERR "unknown VARIANT \"$name\"; known: @names\n";
    exit 1;
}

sub is { my ($one) = @_; return $name eq $one }
1;
