# A web application whose users keep their pairs in LEGACY_STATE; CLIENT_MODE names its one mistake, or none.
require 'cgi'
require 'json'
require 'net/http'
require 'securerandom'
require 'socket'

MODE = ENV.fetch('CLIENT_MODE')
GUARD = Mutex.new
LOCKS = {}

class Answer < StandardError
  attr_reader :status

  def initialize(status, text)
    super(text)
    @status = status
  end
end

def place(user) = File.join(ENV.fetch('LEGACY_STATE'), "#{user}.json")

def load_pair(user)
  JSON.parse(File.read(place(user)))
rescue Errno::ENOENT
  raise Answer.new(401, 'sign in first')
end

def save(user, answer)
  pair = answer.merge('due' => Time.now.to_f + answer['expires_in'])
  part = "#{place(user)}.#{SecureRandom.hex}"
  File.write(part, JSON.generate(pair))
  File.rename(part, place(user))
  pair
end

def token(form)
  credentials = { 'client_id' => ENV.fetch('LEGACY_CLIENT_ID'), 'client_secret' => ENV.fetch('LEGACY_CLIENT_SECRET') }
  address = URI("#{ENV.fetch('LEGACY_AUTH_URL')}/oauth/token")
  answer = Net::HTTP.start(address.host, address.port, read_timeout: 4, max_retries: 0) do |http|
    http.post(address.path, URI.encode_www_form(form.merge(credentials)))
  end
  return JSON.parse(answer.body) if answer.code == '200'

  raise Answer.new(answer.body.include?('invalid_grant') ? 401 : 502, 'the service refused it')
end

def refreshed(user, pair)
  save(user, token('grant_type' => 'refresh_token', 'refresh_token' => pair['refresh_token']))
rescue Answer => e
  File.delete(place(user)) if e.status == 401
  raise
end

def renewed(user, stale)
  return refreshed(user, stale) if MODE != 'sound'

  GUARD.synchronize { LOCKS[user] ||= Mutex.new }.synchronize do
    stored = load_pair(user)
    stored['access_token'] == stale['access_token'] ? refreshed(user, stored) : stored
  end
end

def list(user, path)
  pair = load_pair(user)
  pair = renewed(user, pair) if Time.now.to_f >= pair['due']
  address = URI("#{ENV.fetch('LEGACY_BASE_URL')}/v2/projects/#{path.split('/')[2]}/assigned_users")
  headers = { 'Authorization' => "Bearer #{pair['access_token']}" }
  answer = Net::HTTP.start(address.host, address.port, read_timeout: 4) { |http| http.get(address.path, headers) }
  raise Answer.new(502, "the service answered #{answer.code}") if answer.code != '200'

  [200, answer.body]
end

def respond(target, cookies)
  path, query = target.split('?', 2)
  given = URI.decode_www_form(query.to_s).to_h
  return [200, 'here'] if path == '/'

  if path == '/connect'
    state = SecureRandom.hex
    asked = { client_id: ENV.fetch('LEGACY_CLIENT_ID'), redirect_uri: ENV.fetch('LEGACY_REDIRECT_URI'), state: state,
              response_type: 'code', scope: 'read write destroy' }
    address = "#{ENV.fetch('LEGACY_AUTH_URL')}/oauth/authorize?#{URI.encode_www_form(asked)}"
    return [302, '', "Location: #{address}", "Set-Cookie: state=#{state}", "Set-Cookie: user=#{given['user']}"]
  end
  return list(cookies['user'], path) if path != '/callback'
  raise Answer.new(400, 'the state is another') if given['state'] != cookies['state']

  save(cookies['user'], token('grant_type' => 'authorization_code', 'code' => given['code'],
                              'redirect_uri' => ENV.fetch('LEGACY_REDIRECT_URI')))
  [200, 'Connected']
end

def serve(socket)
  target = socket.gets.to_s.split[1] || '/'
  cookies = {}
  while (line = socket.gets&.chomp) && line != ''
    cookies = line[8..].split('; ').to_h { |one| one.split('=', 2) } if line.downcase.start_with?('cookie: ')
  end
  status, text, *headers = begin
    respond(target, cookies)
  rescue Answer => e
    [e.status, e.message]
  rescue StandardError => e
    [502, e.class.name]
  end
  socket.write(["HTTP/1.1 #{status} Status", "Content-Length: #{text.bytesize}", 'Connection: close', *headers, '', text].join("\r\n"))
rescue SystemCallError
  nil
ensure
  socket.close
end

server = TCPServer.new('127.0.0.1', Integer(ENV.fetch('PORT')))
loop do
  socket = server.accept
  MODE == 'one-worker' ? serve(socket) : Thread.new { serve(socket) }
end
