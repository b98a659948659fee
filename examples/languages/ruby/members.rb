# frozen_string_literal: true

require "json"
require "net/http"
require "securerandom"
require "uri"

# Lists, assigns and unassigns the users of a project. Holds the pair of one user; one refresh at a time.
class Members
  def initialize
    @mutex = Mutex.new
    @pair = nil
  end

  # Returns the address to send the user to, and the state that must come back in the same session.
  def connect
    state = SecureRandom.urlsafe_base64(32)
    query = URI.encode_www_form(
      client_id: env("CLIENT_ID"), redirect_uri: env("REDIRECT_URI"),
      response_type: "code", scope: "read write destroy", state: state
    )
    ["#{env('AUTH_URL')}/oauth/authorize?#{query}", state]
  end

  # Takes the query of the request to the redirect address.
  def callback(query, state)
    raise "the state is of another sign-in" unless query["state"] == state
    raise "not granted: #{query['error']}" unless query["code"]

    @mutex.synchronize do
      token(grant_type: "authorization_code", code: query["code"], redirect_uri: env("REDIRECT_URI"))
    end
  end

  def list = JSON.parse(call(Net::HTTP::Get).body)

  def assign(user) = call(Net::HTTP::Put, "/#{escape(user)}")

  def unassign(user) = call(Net::HTTP::Delete, "/#{escape(user)}")

  private

  def call(method, path = "")
    address = URI("#{env('BASE_URL')}/v2/projects/#{escape(env('PROJECT_ID'))}/assigned_users#{path}")
    @mutex.synchronize do
      answer = send_request(method.new(address, "Authorization" => "Bearer #{@pair['access_token']}"))
      if answer.is_a?(Net::HTTPUnauthorized)
        token(grant_type: "refresh_token", refresh_token: @pair["refresh_token"])
        answer = send_request(method.new(address, "Authorization" => "Bearer #{@pair['access_token']}"))
      end
      raise "status #{answer.code}" unless answer.is_a?(Net::HTTPSuccess)

      answer
    end
  end

  def token(fields)
    request = Net::HTTP::Post.new(URI("#{env('AUTH_URL')}/oauth/token"))
    request.set_form_data(fields.merge(client_id: env("CLIENT_ID"), client_secret: env("CLIENT_SECRET")))
    answer = send_request(request)
    raise "token endpoint: status #{answer.code}" unless answer.is_a?(Net::HTTPOK)

    pair = JSON.parse(answer.body)
    # Both tokens replace the old pair at once.
    @pair = { "access_token" => pair.fetch("access_token"), "refresh_token" => pair.fetch("refresh_token") }
  end

  # Net::HTTP repeats a PUT, a DELETE and a GET after a lost answer, unless max_retries forbids it.
  def send_request(request)
    Net::HTTP.start(request.uri.host, request.uri.port, use_ssl: request.uri.scheme == "https",
                                                        read_timeout: 10, max_retries: 0) { |http| http.request(request) }
  end

  # For a path: a blank is %20.
  def escape(id) = URI.encode_www_form_component(id).gsub("+", "%20")

  def env(name) = ENV.fetch("LEGACY_#{name}")
end
