package dev.penstock.migrate;

/** All properties of Hystrix 1.3 to 1.5. */
final class HystrixNames {
    private static final String PINNED = "pinned to the old value, auto would measure it";
    private static final String METRICS = "not needed: counters and times are at /metrics";
    private static final String FALLBACK = "not supported: the caller gets an ending and decides itself";
    private static final String VIRTUAL = "not needed: calls use virtual threads, and the limit bounds them";

    static final StageNames ALL = new StageNames("command")
            .use(
                    FlowKey.DEADLINE,
                    "",
                    "execution.isolation.thread.timeoutInMilliseconds",
                    "execution.timeoutInMilliseconds")
            .use(FlowKey.LIMIT, PINNED, "execution.isolation.semaphore.maxConcurrentRequests")
            .use(FlowKey.MIN_CALLS, "in the last 10 s", "circuitBreaker.requestVolumeThreshold")
            .use(FlowKey.OPEN, "", "circuitBreaker.sleepWindowInMilliseconds")
            .use(FlowKey.FAILURE_PERCENT, "of the calls of the last 10 s", "circuitBreaker.errorThresholdPercentage")
            .drop("always on", "circuitBreaker.enabled", "execution.timeout.enabled")
            .drop("not supported: to stop a flow, drain the gateway or remove the flow", "circuitBreaker.forceOpen")
            .drop("false: the breaker decides", "circuitBreaker.forceClosed")
            .drop(VIRTUAL, "execution.isolation.strategy", "threadPoolKeyOverride")
            .drop(
                    "always: a call ends at its deadline",
                    "execution.isolation.thread.interruptOnTimeout",
                    "execution.isolation.thread.interruptOnCancel",
                    "execution.isolation.thread.interruptOnFutureCancel")
            .drop(FALLBACK, "fallback.enabled", "fallback.isolation.semaphore.maxConcurrentRequests")
            .drop(
                    "not needed: the breaker counts calls of the last 10 s",
                    "metrics.rollingStats.timeInMilliseconds",
                    "metrics.rollingStats.numBuckets",
                    "metrics.healthSnapshot.intervalInMilliseconds")
            .drop(
                    METRICS,
                    "metrics.rollingPercentile.enabled",
                    "metrics.rollingPercentile.timeInMilliseconds",
                    "metrics.rollingPercentile.numBuckets",
                    "metrics.rollingPercentile.bucketSize",
                    "requestLog.enabled")
            .drop(
                    "not supported: dedupe executes requests with equal keys once, across callers",
                    "requestCache.enabled")
            .and(new StageNames("threadpool")
                    .use(FlowKey.LIMIT, PINNED, "maximumSize", "coreSize")
                    .use(FlowKey.QUEUE_LENGTH, "", "queueSizeRejectionThreshold", "maxQueueSize")
                    .drop(VIRTUAL, "allowMaximumSizeToDivergeFromCoreSize", "keepAliveTimeMinutes")
                    .drop(METRICS, "metrics.rollingStats.timeInMilliseconds", "metrics.rollingStats.numBuckets"))
            .and(new StageNames("collapser")
                    .use(FlowKey.COLLAPSE_MAX, "", "maxRequestsInBatch")
                    .use(FlowKey.COLLAPSE_BUDGET, PINNED, "timerDelayInMilliseconds")
                    .use(FlowKey.COLLAPSE_SAME, "equal requests of a batch are sent once", "requestCache.enabled")
                    .drop(
                            METRICS,
                            "metrics.rollingStats.timeInMilliseconds",
                            "metrics.rollingStats.numBuckets",
                            "metrics.rollingPercentile.enabled",
                            "metrics.rollingPercentile.timeInMilliseconds",
                            "metrics.rollingPercentile.numBuckets",
                            "metrics.rollingPercentile.bucketSize"))
            .and(new StageNames("hystrix")
                    .drop(METRICS, "stream.*", "metrics.*", "dashboard.*", "event.*")
                    .drop("not needed: calls use virtual threads", "timer.*", "threadpool.*")
                    .drop("stays with the application", "plugin.*", "shareSecurityContext"));

    private HystrixNames() {}
}
