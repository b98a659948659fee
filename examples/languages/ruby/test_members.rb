# frozen_string_literal: true

require "minitest/autorun"
require_relative "members"

# A request to the emulator's control port: clock, marks, the verdict. A refusal raises with its body.
def control(method, path, body = nil, also: [])
  address = URI(ENV.fetch("LEGACY_CONTROL_URL") + path)
  headers = { "Authorization" => "Bearer #{ENV.fetch('LEGACY_CONTROL_TOKEN')}" }
  answer = Net::HTTP.start(address.host, address.port) { |http| http.send_request(method, address.request_uri, body&.to_json, headers) }
  status = answer.code.to_i
  raise "#{method} #{path}: status #{status}: #{answer.body}" if status >= 400 && !also.include?(status)

  answer.body
end

class TestMembers < Minitest::Test
  i_suck_and_my_tests_are_order_dependent!

  MEMBERS = Members.new
  control("PUT", "/mark", { mark: nil }) # a run that was killed may have left one
  control("DELETE", "/client-report")

  def setup = control("PUT", "/mark", { mark: name })

  def teardown = control("PUT", "/mark", { mark: nil })

  # The query that the service sends the user's browser back with: `--auto-consent` grants without a page.
  def granted(address)
    URI.decode_www_form(URI(Net::HTTP.get_response(URI(address))["Location"]).query).to_h
  end

  def test_1_connect
    address, state = MEMBERS.connect
    MEMBERS.callback(granted(address), state)
    refute_empty MEMBERS.list
  end

  def test_2_assign
    before = MEMBERS.list.size
    MEMBERS.assign(ENV.fetch("LEGACY_USER_ID"))
    assert_equal before + 1, MEMBERS.list.size
    MEMBERS.unassign(ENV.fetch("LEGACY_USER_ID"))
  end

  def test_3_expiry
    # Twice: a client that keeps its first refresh token fails at the second expiry.
    2.times do
      control("POST", "/clock/advance", { seconds: 7201 })
      refute_empty MEMBERS.list
    end
  end

  # The last test is the verdict on all requests.
  def test_4_verdict
    verdict = control("GET", "/client-report?format=exit&strict=true", also: [409, 425])
    assert verdict.end_with?("exit code 0\n"), verdict + control("GET", "/client-report?format=text&verbose=true&strict=true")
  end
end
