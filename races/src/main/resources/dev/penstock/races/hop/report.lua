-- Prints wrk's results as one line of exact numbers.
done = function(summary, latency, requests)
  local line = string.format("report requests=%d duration_us=%d bytes=%d", summary.requests, summary.duration, summary.bytes)
  for kind, count in pairs(summary.errors) do
    line = line .. string.format(" %s=%d", kind, count)
  end
  line = line .. string.format(" mean_us=%.0f max_us=%d", latency.mean, latency.max)
  for _, percent in ipairs({50, 90, 99, 99.9}) do
    line = line .. string.format(" p%s_us=%d", string.gsub(percent, "%.", ""), latency:percentile(percent))
  end
  io.write(line .. "\n")
end
