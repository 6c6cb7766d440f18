package dev.penstock.jms;

import dev.penstock.Rejected;
import dev.penstock.Setting;
import dev.penstock.Setting.Origin;
import dev.penstock.Target;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import jakarta.jms.Destination;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * Asks by a queue and waits for the reply. All callers share one connection on which replies come. Blocking; safe for many
 * threads.
 *
 * <pre>{@code
 * var prices = JmsRequests.over(JmsTarget.at(broker).queue("prices").build());
 * JmsMessage price = prices.call(JmsMessage.text("4711"));
 * }</pre>
 *
 * <p>Who answers sends to the request's {@code JMSReplyTo}, with its {@code JMSCorrelationID}. That id is set here; one that
 * the request has already comes back in the reply, but does not travel. Replies to nobody, or to a caller who has left, are
 * counted and dropped.
 *
 * <p>It ends as {@link JmsTarget} says as long as the request is not sent. After that, no reply in time is {@link Unknown},
 * cause {@code TIMEOUT}; when the temporary queue of replies is lost with its connection, all who wait are {@code CLOSED} at
 * once. With a {@linkplain JmsTargetBuilder#key key}, a repeat asks by the same id as the first attempt: the broker drops it,
 * and the reply to the first answers both.
 */
public final class JmsRequests implements Target<JmsMessage, JmsMessage> {
    private final JmsTarget target;
    private final PendingReplies replies;
    private final @Nullable String replyQueue;
    private final Instant since = Instant.now();

    private JmsRequests(JmsTarget target, @Nullable String replyQueue) {
        this.target = target;
        this.replyQueue = replyQueue;
        this.replies = new PendingReplies(target.senderSessions().brokerConnection().broker(), replyQueue);
    }

    /**
     * Requests by what a target sends; replies come to a temporary queue, which is there as long as its connection.
     *
     * @param target closed with this
     */
    public static JmsRequests over(JmsTarget target) {
        return new JmsRequests(target, null);
    }

    /**
     * The same, where replies come to a queue of that name: one that this process shares with others too, as each takes its
     * own only. Replies to callers who are gone with their process stay there, so let them expire.
     *
     * @param target closed with this
     */
    public static JmsRequests over(JmsTarget target, String replyQueue) {
        return new JmsRequests(target, replyQueue);
    }

    /**
     * Sends a request, and waits for its reply.
     *
     * @throws Rejected nothing was sent: {@code DEADLINE}, {@code POOL}, as {@link JmsTarget#call} says
     * @throws dev.penstock.Failed {@code CONNECT}, there is no connection for the request or its reply; {@code REFUSED}
     * @throws Unknown sent, and no reply came
     */
    @Override
    public JmsMessage call(JmsMessage request) throws Unanswered {
        long left = target.senderSessions().left();
        if (left <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "the time was up before anything was sent");
        }
        long until = Ticker.SYSTEM.nanos() + left;
        Destination replyTo = replies.open(left);
        String key = target.sender().duplicateId().key();
        try (PendingReplies.Place place = replies.await(key == null ? null : request.key(key))) {
            JmsMessage asked = request.withCorrelationId(place.id()).withReplyTo(replyTo);
            JmsReceipt _ = target.call(asked);
            return reply(place, until - Ticker.SYSTEM.nanos()).withCorrelationId(request.correlationId());
        }
    }

    private static JmsMessage reply(PendingReplies.Place place, long nanos) throws Unanswered {
        try {
            return place.reply().get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new Unknown(Unknown.Cause.TIMEOUT, "no reply within the time left");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Unknown(Unknown.Cause.INTERRUPTED, "the caller was interrupted while it waited for the reply");
        } catch (ExecutionException lost) {
            throw new Unknown(
                    Unknown.Cause.CLOSED,
                    "the queue of replies was lost: " + JmsFault.words(lost.getCause()),
                    lost.getCause());
        }
    }

    /** How many wait for a reply now. */
    public int waiting() {
        return replies.waiting();
    }

    /** How many replies came for which nobody waited any more. */
    public long late() {
        return replies.late();
    }

    @Override
    public String where() {
        return target.where();
    }

    @Override
    public List<Setting> settings() {
        List<Setting> all = new ArrayList<>(target.settings());
        all.add(new Setting(
                "reply_queue",
                replyQueue == null ? "temporary" : replyQueue,
                "a queue",
                "where replies come",
                since,
                replyQueue == null ? Origin.DEFAULT : Origin.FILE));
        return List.copyOf(all);
    }

    @Override
    public Map<String, Long> connections() {
        Map<String, Long> all = new TreeMap<>(target.connections());
        all.merge("opened", replies.opened(), Long::sum);
        all.put("waiting", (long) replies.waiting());
        all.put("late_replies", replies.late());
        return all;
    }

    @Override
    public void close() {
        target.close();
        replies.close();
    }

    @Override
    public String toString() {
        return "requests to " + target;
    }
}
