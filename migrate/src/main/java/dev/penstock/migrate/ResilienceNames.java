package dev.penstock.migrate;

/** All properties of resilience4j 0.13 to 2.4 in Spring Boot. */
final class ResilienceNames {
    private static final String EVENTS = "not needed: the log has the reasons, counters and times are at /metrics";
    private static final String HEALTH = "not needed: the state is at /health, /flows and /metrics";
    private static final String BY_ENDING =
            "not by exception: an answer 5xx, a lost connection and a time-out are failures; answers below 500 are not";
    private static final String NO_RATE =
            "not supported: a flow has no key for a rate; its limit bounds concurrent calls, and adapts to what the target can do";
    private static final String ORDER = "not needed: the order of the stages is fixed";
    private static final String BASE = "its settings are written into each flow";

    static final StageNames ALL = common("retry")
            .and(new StageNames("retry")
                    .use(FlowKey.ATTEMPTS, "both include the first attempt", "maxAttempts", "maxRetryAttempts")
                    .use(FlowKey.BACKOFF, "as the longest wait: the actual wait is a random part of it", "waitDuration")
                    .use(FlowKey.BACKOFF_MAX, "", "exponentialMaxWaitDuration")
                    .drop("always: the wait doubles up to retry.backoff_max", "enableExponentialBackoff")
                    .drop("not supported: the wait doubles", "exponentialBackoffMultiplier")
                    .drop("always: a random part of the longest wait", "enableRandomizedWait", "randomizedWaitFactor")
                    .drop(
                            "only requests that were certainly not sent are retried, and with retry.key, idempotent or settle"
                                    + " others without an answer",
                            "retryExceptions",
                            "ignoreExceptions",
                            "retryExceptionPredicate",
                            "resultPredicate",
                            "intervalBiFunction",
                            "intervalFunction",
                            "consumeResultBeforeRetryAttempt")
                    .drop("always: the ending of the last attempt is returned", "failAfterMaxAttempts")
                    .drop(ORDER, "retryAspectOrder"))
            .and(common("circuitbreaker"))
            .and(new StageNames("circuitbreaker")
                    .use(FlowKey.FAILURE_PERCENT, "of the calls of the last 10 s", "failureRateThreshold")
                    .use(FlowKey.MIN_CALLS, "in the last 10 s", "minimumNumberOfCalls", "ringBufferSizeInClosedState")
                    .use(FlowKey.OPEN, "", "waitDurationInOpenState")
                    .use(FlowKey.TRIALS, "", "permittedNumberOfCallsInHalfOpenState", "ringBufferSizeInHalfOpenState")
                    .drop(
                            "not needed: the breaker counts calls of the last 10 s",
                            "slidingWindowSize",
                            "slidingWindowType")
                    .drop(
                            "not by slowness: the adaptive limit lowers the load on a slow target",
                            "slowCallRateThreshold",
                            "slowCallDurationThreshold")
                    .drop(
                            "always: after the wait the next calls are trials",
                            "automaticTransitionFromOpenToHalfOpenEnabled")
                    .drop(
                            "not needed: a trial ends with the deadline of its call",
                            "maxWaitDurationInHalfOpenState",
                            "transitionToStateAfterWaitDuration")
                    .drop(
                            "not supported: the wait is always the same",
                            "enableExponentialBackoff",
                            "exponentialBackoffMultiplier",
                            "exponentialMaxWaitDurationInOpenState",
                            "enableRandomizedWait",
                            "randomizedWaitFactor",
                            "waitIntervalFunctionInOpenState")
                    .drop(
                            BY_ENDING,
                            "recordExceptions",
                            "ignoreExceptions",
                            "recordFailurePredicate",
                            "recordExceptionPredicate",
                            "ignoreExceptionPredicate",
                            "recordResultPredicate",
                            "ignoreClassBindingExceptions",
                            "ignoreUnknownExceptions")
                    .drop(
                            "not needed: a rejection is an ending, not an exception",
                            "writableStackTraceEnabled",
                            "currentTimestampFunction")
                    .drop("not supported: a flow begins with its breaker closed", "initialState")
                    .drop(HEALTH, "registerHealthIndicator", "allowHealthIndicatorToFail", "healthIndicatorFailureRate")
                    .drop(ORDER, "circuitBreakerAspectOrder"))
            .and(common("bulkhead"))
            .and(new StageNames("bulkhead")
                    .use(
                            FlowKey.LIMIT,
                            "pinned to the old value, auto would measure it",
                            "maxConcurrentCalls",
                            "maxConcurrentCall")
                    .use(FlowKey.QUEUE_TIME, "", "maxWaitDuration", "maxWaitTime")
                    .drop("not needed: a rejection is an ending, not an exception", "writableStackTraceEnabled")
                    .drop("not needed: calls are served in order", "fairCallHandlingEnabled")
                    .drop(ORDER, "bulkheadAspectOrder"))
            .and(common("threadpoolbulkhead"))
            .and(new StageNames("threadpoolbulkhead")
                    .use(FlowKey.LIMIT, "pinned to the old value, auto would measure it", "maxThreadPoolSize")
                    .use(FlowKey.QUEUE_LENGTH, "", "queueCapacity")
                    .drop(
                            "not needed: calls use virtual threads, and the limit bounds them",
                            "coreThreadPoolSize",
                            "keepAliveDuration",
                            "contextPropagators",
                            "rejectedExecutionHandler")
                    .drop("not needed: a rejection is an ending, not an exception", "writableStackTraceEnabled"))
            .and(common("ratelimiter"))
            .and(new StageNames("ratelimiter")
                    .drop(
                            NO_RATE,
                            "limitForPeriod",
                            "limitRefreshPeriod",
                            "timeoutDuration",
                            "subscribeForEvents",
                            "writableStackTraceEnabled",
                            "drainPermissionsOnResult")
                    .drop(HEALTH, "registerHealthIndicator", "allowHealthIndicatorToFail")
                    .drop(ORDER, "rateLimiterAspectOrder"))
            .and(common("timelimiter"))
            .and(new StageNames("timelimiter")
                    .use(
                            FlowKey.DEADLINE,
                            "here of the whole transaction, retries and waits included",
                            "timeoutDuration")
                    .drop("always: a call ends at its deadline", "cancelRunningFuture")
                    .drop(ORDER, "timeLimiterAspectOrder"))
            .and(new StageNames("scheduled").drop("not needed: calls use virtual threads", "executor.*"))
            .and(new StageNames("micrometer").drop(EVENTS, "*"))
            .and(new StageNames("endpoints").drop(EVENTS, "*"));

    private ResilienceNames() {}

    private static StageNames common(String section) {
        return new StageNames(section)
                .drop(BASE, "baseConfig")
                .drop(EVENTS, "eventConsumerBufferSize", "metrics.*", "tags.*");
    }
}
