package dev.penstock.migrate;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The effective settings of the SDK.
 *
 * @param client the HTTP client
 * @param url the target
 * @param proxy the proxy; null for none
 * @param pool the pool; null when the SDK has none
 * @param connect the connect timeout per address
 * @param response the socket timeout: the longest wait for the next byte of an answer
 * @param retries the retry settings; null when there are none
 */
record SdkSettings(
        Client client,
        OldValue<URI> url,
        @Nullable Proxy proxy,
        @Nullable Pool pool,
        OldValue<Duration> connect,
        OldValue<Duration> response,
        @Nullable Retries retries) {
    /** The HTTP client. */
    enum Client {
        /** HttpClient 4.5 with one pool for the whole process. */
        POOLED,
        /** A new HttpClient 4.5 for each request. */
        SINGLE,
        /** The JDK's HttpURLConnection. */
        JDK
    }

    /** A proxy; {@code password} is the origin of the one that the file has, which is not kept. */
    record Proxy(
            OldValue<String> hostAndPort,
            @Nullable OldValue<String> user,
            @Nullable String password) {}

    /**
     * The pool.
     *
     * @param max the maximum number of connections in total
     * @param maxPerRoute the maximum number of connections to the URL
     * @param waiting how long to wait for a connection
     * @param sweep how often idle connections are checked
     * @param idle the maximum idle time
     * @param validateAfter the idle time after which a connection is validated before use; null for never
     * @param validateAfterFrom the origin of that value
     * @param shutdownHook whether the pool is closed when the process ends
     */
    record Pool(
            OldValue<Integer> max,
            OldValue<Integer> maxPerRoute,
            OldValue<Duration> waiting,
            OldValue<Duration> sweep,
            OldValue<Duration> idle,
            @Nullable Duration validateAfter,
            String validateAfterFrom,
            OldValue<Boolean> shutdownHook) {}

    /**
     * When requests are retried.
     *
     * @param allowed from {@code allowRetry}
     * @param repeats the number of retries after the first attempt, 1 to 5; 0 when not allowed
     * @param interval the wait before each retry
     * @param from the origin of these values
     * @param sentToo whether requests that were sent and then cut off are retried too; null when they never are
     */
    record Retries(
            OldValue<Boolean> allowed,
            int repeats,
            Duration interval,
            String from,
            @Nullable OldValue<Boolean> sentToo) {}
}
