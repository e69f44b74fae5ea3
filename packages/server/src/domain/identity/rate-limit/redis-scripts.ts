/**
 * One hash per key, so that all windows are on one node of a cluster: start, current and previous of each window, named
 * by its length. The clock is that of Redis, so that instances whose clocks differ use the same buckets.
 */
const READ = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function read_buckets(ms)
  local start = now - now % ms
  local stored = redis.call('HMGET', KEYS[1], ms .. ' start', ms .. ' current', ms .. ' previous')
  local was, current, previous = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
  if was == start then return start, current, previous end
  if was == start - ms then return start, 0, current end
  return start, 0, 0
end
local function write(ms, start, current, previous)
  redis.call('HSET', KEYS[1], ms .. ' start', start, ms .. ' current', current, ms .. ' previous', previous)
end
`

/**
 * ARGV: the cost, then limit and length of each window. Returns the time, then start, current and previous of each
 * window before the request was counted.
 */
export const CONSUME = `${READ}
local cost = tonumber(ARGV[1])
local result = { now }
local hasRoom = true
local longest = 0
for i = 2, #ARGV, 2 do
  local limit, ms = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local start, current, previous = read_buckets(ms)
  local used = previous * (1 - (now - start) / ms) + current
  if used + cost > limit then hasRoom = false end
  longest = math.max(longest, ms)
  for _, value in ipairs({ start, current, previous }) do result[#result + 1] = value end
end
if hasRoom then
  for i = 3, #ARGV, 2 do
    local at = (i - 3) / 2 * 3 + 2
    write(tonumber(ARGV[i]), result[at], result[at + 1] + cost, result[at + 2])
  end
  redis.call('PEXPIRE', KEYS[1], longest * 2)
end
return result
`

export const REFUND = `${READ}
local cost = tonumber(ARGV[1])
for i = 3, #ARGV, 2 do
  local ms = tonumber(ARGV[i])
  local start, current, previous = read_buckets(ms)
  if current > 0 then write(ms, start, math.max(0, current - cost), previous) end
end
return 0
`
