/**
 * One hash a key, so that a cluster keeps it in one place: start, current and previous of each window, named by its length.
 * The time is Redis's own: instances whose clocks differ still fill the same buckets.
 */
const READ = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function bucketsOf(ms)
  local start = now - now % ms
  local kept = redis.call('HMGET', KEYS[1], ms .. ' start', ms .. ' current', ms .. ' previous')
  local was, current, previous = tonumber(kept[1]), tonumber(kept[2]), tonumber(kept[3])
  if was == start then return start, current, previous end
  if was == start - ms then return start, 0, current end
  return start, 0, 0
end
local function write(ms, start, current, previous)
  redis.call('HSET', KEYS[1], ms .. ' start', start, ms .. ' current', current, ms .. ' previous', previous)
end
`

/** ARGV: the cost, then limit and length of each window. Returns the time, then start, current and previous of each window before the use. */
export const CONSUME = `${READ}
local cost = tonumber(ARGV[1])
local answer = { now }
local hasRoom = true
local longest = 0
for i = 2, #ARGV, 2 do
  local limit, ms = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local start, current, previous = bucketsOf(ms)
  local used = previous * (1 - (now - start) / ms) + current
  if used + cost > limit then hasRoom = false end
  longest = math.max(longest, ms)
  for _, value in ipairs({ start, current, previous }) do answer[#answer + 1] = value end
end
if hasRoom then
  for i = 3, #ARGV, 2 do
    local at = (i - 3) / 2 * 3 + 2
    write(tonumber(ARGV[i]), answer[at], answer[at + 1] + cost, answer[at + 2])
  end
  redis.call('PEXPIRE', KEYS[1], longest * 2)
end
return answer
`

export const REFUND = `${READ}
local cost = tonumber(ARGV[1])
for i = 3, #ARGV, 2 do
  local ms = tonumber(ARGV[i])
  local start, current, previous = bucketsOf(ms)
  if current > 0 then write(ms, start, math.max(0, current - cost), previous) end
end
return 0
`
