-- Sends the requests of a file, each as it goes over the wire and ended by a NUL, one after the other and from the start again.
local requests = {}
local next = 0

function init(arguments)
  local file = assert(io.open(arguments[1], 'rb'))
  for text in file:read('*a'):gmatch('[^%z]+') do requests[#requests + 1] = text end
  file:close()
end

function request()
  next = next % #requests + 1
  return requests[next]
end

function done(summary, latency)
  local errors = summary.errors
  local refused = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  io.write(string.format('RESULT {"count":%d,"seconds":%f,"p50Ms":%f,"p99Ms":%f,"refused":%d}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3, refused))
end
