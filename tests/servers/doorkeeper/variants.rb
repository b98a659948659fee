# frozen_string_literal: true

# The settings, which server.yaml describes. $VARIANT names one of them; each is one Doorkeeper
# setting (read by app.rb), one small patch (Variants.patch!, below), one line in the API
# controller (app.rb) or one Rack middleware (Variants::Wire).
module Variants
  NAMES = %w[
    conforming
    as-is
    token-type-caps
    expires-3600
    expires-3600-refresh
    expires-string
    expires-absent
    refresh-token-absent
    token-form-encoded
    token-wrapped
    no-rotation
    no-rotation-omitted
    rotated-token-dead
    same-access-token
    code-reusable
    code-in-fragment
    any-redirect
    any-redirect-authorize
    redirect-native
    implicit-enabled
    deny-ignored
    consent-skipped
    secret-ignored
    scope-dropped
    assign-noop
    assign-replaces
    unassign-noop
    unassign-removes-all
    list-stale
    list-all-projects
    list-truncated
    unversioned-paths
    api-open
    html-errors
  ].freeze

  NAME = ENV.fetch("VARIANT", "").then { |name| name.empty? ? "conforming" : name }
  abort "unknown VARIANT #{NAME.inspect}; known: #{NAMES.join(' ')}" unless NAMES.include?(NAME)

  def self.is?(*names)
    names.include?(NAME)
  end

  # Doorkeeper's own customisation point for the token response. `bearer` is the
  # documented value, so every variant but token-type-caps lowers Doorkeeper's "Bearer".
  module TokenBody
    def body
      shown = super
      # repair: exchange.token-type-bearer refresh.token-type-bearer
      shown = shown.merge("token_type" => "bearer") unless Variants.is?("as-is", "token-type-caps")
      # end of repair
      shown = shown.merge("expires_in" => shown["expires_in"].to_s) if Variants.is?("expires-string")
      shown = shown.except("expires_in") if Variants.is?("expires-absent")
      shown = { "token" => shown } if Variants.is?("token-wrapped")
      shown
    end
  end

  # A refresh that leaves the stored refresh token as it is.
  module KeepsRefreshToken
    def before_successful_response
      shown = { "no-rotation" => refresh_token.refresh_token,
                "no-rotation-omitted" => nil,
                "rotated-token-dead" => Doorkeeper::OAuth::Helpers::UniqueToken.generate }.fetch(Variants::NAME)
      @access_token = Doorkeeper::AccessToken.create_for(
        application: refresh_token.application, resource_owner: refresh_token.resource_owner_id,
        scopes: scopes, expires_in: refresh_token.expires_in, use_refresh_token: false
      )
      @access_token.define_singleton_method(:plaintext_refresh_token) { shown }
    end
  end

  module KeepsAccessToken
    def before_successful_response
      refresh_token.send(:generate_refresh_token)
      refresh_token.update!(created_at: Time.now.utc)
      @access_token = refresh_token
    end
  end

  # Defects on the wire, as a front server would make them.
  class Wire
    ERROR_PAGE = "<!DOCTYPE html>\n<html><head><title>Something went wrong</title></head>" \
                 "<body><h1>Something went wrong</h1><p>Please try again later.</p></body></html>\n"

    def initialize(app)
      @app = app
    end

    def call(env)
      status, headers, body = @app.call(env)
      path = env["PATH_INFO"]
      if Variants.is?("html-errors") && status >= 400 && path.match?(%r{\A/(oauth/token|v2/)})
        replace(status, headers, body, ERROR_PAGE, "text/html; charset=utf-8")
      elsif Variants.is?("token-form-encoded") && status == 200 && path == "/oauth/token"
        replace(status, headers, body, JSON.parse(text(body)).to_query, "application/x-www-form-urlencoded; charset=utf-8")
      else
        [status, headers, body]
      end
    end

    private

    def text(body)
      parts = []
      body.each { |part| parts << part }
      parts.join
    end

    def replace(status, headers, old_body, new_text, type)
      old_body.close if old_body.respond_to?(:close)
      headers = headers.merge("Content-Type" => type, "Content-Length" => new_text.bytesize.to_s)
      [status, headers, [new_text]]
    end
  end

  # Called once, when the app is loaded.
  def self.patch!
    Doorkeeper::OAuth::TokenResponse.prepend(TokenBody)

    # "an authorized redirect address", "same address": compared character by character.
    unless is?("as-is", "redirect-native")
      # repair: authorize.redirect-uri-exact exchange.redirect-uri-exact
      Doorkeeper::OAuth::Helpers::URIChecker.define_singleton_method(:matches?) { |url, registered| url == registered }
      # end of repair
    end

    case NAME
    when "no-rotation", "no-rotation-omitted", "rotated-token-dead"
      Doorkeeper::OAuth::RefreshTokenRequest.prepend(KeepsRefreshToken)
    when "same-access-token"
      Doorkeeper::OAuth::RefreshTokenRequest.prepend(KeepsAccessToken)
    when "expires-3600-refresh"
      patch(Doorkeeper::OAuth::RefreshTokenRequest, :create_access_token) { |token| token.tap { token.update!(expires_in: 3600) } }
    when "code-reusable"
      Doorkeeper::AccessGrant.define_method(:revoke) { |*| }
    when "code-in-fragment"
      Doorkeeper::OAuth::CodeResponse.define_method(:response_on_fragment) { true }
    when "any-redirect"
      Doorkeeper::OAuth::AuthorizationCodeRequest.define_method(:validate_redirect_uri) { true }
    when "any-redirect-authorize"
      Doorkeeper::OAuth::PreAuthorization.define_method(:validate_redirect_uri) { redirect_uri.present? }
    when "deny-ignored"
      Doorkeeper::AuthorizationsController.define_method(:destroy) { create }
    when "secret-ignored"
      Doorkeeper::Application.define_singleton_method(:by_uid_and_secret) { |uid, _secret| by_uid(uid) }
    when "scope-dropped"
      Doorkeeper::AccessGrant.define_method(:scopes) { Doorkeeper::OAuth::Scopes.from_array(super().all.first(1)) }
    end
  end

  # Passes what the method returns through the block.
  def self.patch(owner, name, &change)
    owner.prepend(Module.new { define_method(name) { |*args| change.call(super(*args)) } })
  end
  private_class_method :patch
end
