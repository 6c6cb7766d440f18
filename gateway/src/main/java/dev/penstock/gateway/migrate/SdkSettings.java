package dev.penstock.gateway.migrate;

import java.net.URI;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What the SDK does with a file.
 *
 * @param client how it sends
 * @param url where to
 * @param proxy null for none
 * @param pool null when it keeps none of its own
 * @param connect how long connecting to one address may take
 * @param response how long it may be until the next byte of an answer
 * @param retries null when there are no such settings
 */
record SdkSettings(
        Client client,
        OldValue<URI> url,
        @Nullable Proxy proxy,
        @Nullable Pool pool,
        OldValue<Duration> connect,
        OldValue<Duration> response,
        @Nullable Retries retries) {
    /** What carries the requests. */
    enum Client {
        /** HttpClient 4.5 with one pool for the whole process. */
        POOLED,
        /** A new HttpClient 4.5 for each request. */
        SINGLE,
        /** The JDK's HttpURLConnection. */
        JDK
    }

    /** A proxy; {@code password} is true when the file has one, which is not read. */
    record Proxy(OldValue<String> hostAndPort, @Nullable OldValue<String> user, boolean password) {}

    /**
     * The pool.
     *
     * @param most how many connections in all
     * @param mostPerRoute how many to the URL
     * @param waiting how long to wait for one
     * @param sweep how often idle ones are looked over
     * @param idle how long one may lie idle
     * @param look how long one may lie idle and be used without a look; null for however long
     * @param lookFrom what says so
     * @param shutdownHook whether it is closed when the process ends
     */
    record Pool(
            OldValue<Integer> most,
            OldValue<Integer> mostPerRoute,
            OldValue<Duration> waiting,
            OldValue<Duration> sweep,
            OldValue<Duration> idle,
            @Nullable Duration look,
            String lookFrom,
            OldValue<Boolean> shutdownHook) {}

    /**
     * When requests are repeated.
     *
     * @param allowed from {@code allowRetry}
     * @param repeats how often after the first time, 1 to 5; 0 when not allowed
     * @param interval how long to wait before each
     * @param from what says so
     * @param sentToo whether what was sent and then cut off is repeated as well; null when that was never done
     */
    record Retries(
            OldValue<Boolean> allowed,
            int repeats,
            Duration interval,
            String from,
            @Nullable OldValue<Boolean> sentToo) {}
}
