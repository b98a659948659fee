# frozen_string_literal: true

# Runs the app under Puma on 127.0.0.1:$PORT (0 picks a free port).

require_relative "variants"

require_relative "app"
require "puma"
require "puma/server"
require "net/http"

$stdout.sync = true

server = Puma::Server.new(Target::Application, Puma::Events.new($stderr, $stderr),
                          min_threads: 1, max_threads: Integer(ENV.fetch("THREADS", "8")))
server.add_tcp_listener("127.0.0.1", Integer(ENV.fetch("PORT", "4700")))
port = server.connected_ports.first
thread = server.run

stop = Queue.new
%w[INT TERM].each { |signal| trap(signal) { stop << signal } }

40.times do
  break if Net::HTTP.get_response("127.0.0.1", "/up", port).is_a?(Net::HTTPOK)
rescue SystemCallError
  sleep 0.1
end
puts "ready http://127.0.0.1:#{port}"

stop.pop
server.stop(true)
thread.join(5)
