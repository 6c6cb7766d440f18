package dev.penstock.gateway.config;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Messages of a queue. Null stands for what the file leaves out, or leaves to Penstock with {@code auto}.
 *
 * @param queue where they are taken from
 * @param inFlight how many may be taken and not yet acknowledged; 1 to 10,000
 * @param key what makes a message repeatable: JMSMessageID, a property, or the header that a property stands for
 * @param redeliver how often what is known to have failed is tried
 * @param deadLetter the queue for what could not be carried
 * @param order the property whose messages keep their order for each of its values
 * @param by how messages are acknowledged
 * @param replyTo where replies may go, {@code *} for any characters; null for anywhere
 * @param maxBody the largest body that is read, in bytes; default 1 MB
 */
public record JmsFrom(
        JmsQueue queue,
        @Nullable Configured<Integer> inFlight,
        @Nullable Configured<String> key,
        Redeliver redeliver,
        @Nullable Configured<String> deadLetter,
        @Nullable Configured<String> order,
        @Nullable Configured<By> by,
        @Nullable Configured<List<String>> replyTo,
        Configured<Long> maxBody)
        implements From {
    /**
     * How often what is known to have failed is tried.
     *
     * @param attempts how often in all, the first included; 1 to 1,000
     * @param backoff how long to wait before the second; doubles from one to the next
     * @param most how long to wait at most
     */
    public record Redeliver(
            @Nullable Configured<Integer> attempts,
            @Nullable Configured<Duration> backoff,
            @Nullable Configured<Duration> most) {
        static final Redeliver AUTOMATIC = new Redeliver(null, null, null);
    }

    /** How messages are acknowledged. */
    public enum By {
        /** Each by itself. */
        INDIVIDUAL,
        /** Many by one commit. */
        BATCHES,
        /** Each by a transaction of its own. */
        SESSIONS;

        /** The word for it in a file. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    @Override
    public String kind() {
        return "jms";
    }

    @Override
    public String base() {
        return "/";
    }
}
