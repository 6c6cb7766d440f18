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
 * Request and reply over queues: sends a request and waits for its reply. All callers share one connection for replies.
 * Blocking; thread-safe.
 *
 * <pre>{@code
 * var prices = JmsRequests.over(JmsTarget.at(broker).queue("prices").build());
 * JmsMessage price = prices.call(JmsMessage.text("4711"));
 * }</pre>
 *
 * <p>The receiver sends its reply to the request's {@code JMSReplyTo}, with the request's {@code JMSCorrelationID}.
 * Penstock sets that id; a correlation id of the caller is restored in the reply, but is not sent. Replies without a
 * waiting caller are counted and dropped.
 *
 * <p>Until the request is sent, it ends as described at {@link JmsTarget}. After that, no reply in time is {@link
 * Unknown} with cause {@code TIMEOUT}; when the temporary queue for replies is lost with its connection, all waiting
 * callers end with {@code CLOSED} immediately. With a {@linkplain JmsTargetBuilder#key key}, a retry has the id of the
 * first attempt: the broker drops it, and the reply to the first answers both.
 */
public final class JmsRequests implements Target<JmsMessage, JmsMessage> {
    private final JmsTarget target;
    private final PendingReplies replies;
    private final @Nullable String replyQueue;
    private final Instant since = Instant.now();

    private JmsRequests(JmsTarget target, @Nullable String replyQueue) {
        this.target = target;
        this.replyQueue = replyQueue;
        this.replies =
                new PendingReplies(target.senderSessions().brokerConnection().broker(), replyQueue);
    }

    /**
     * Requests through a target, with a temporary queue for replies, which exists as long as its connection.
     *
     * @param target closed with this
     */
    public static JmsRequests over(JmsTarget target) {
        return new JmsRequests(target, null);
    }

    /**
     * Requests through a target, with a named queue for replies. Processes may share it, since each receives only its
     * own replies. Replies to callers of a process that has ended stay in the queue, so set a time to live.
     *
     * @param target closed with this
     * @param replyQueue the name of the queue
     */
    public static JmsRequests over(JmsTarget target, String replyQueue) {
        return new JmsRequests(target, replyQueue);
    }

    /**
     * Sends a request, and waits for its reply.
     *
     * @throws Rejected nothing was sent: {@code DEADLINE} or {@code POOL}, as for {@link JmsTarget#call}
     * @throws dev.penstock.Failed {@code CONNECT}, no connection for the request or the reply; {@code REFUSED}
     * @throws Unknown sent, and no reply came
     */
    @Override
    public JmsMessage call(JmsMessage request) throws Unanswered {
        long nanosLeft = target.senderSessions().nanosLeft();
        if (nanosLeft <= 0) {
            throw new Rejected(Rejected.Cause.DEADLINE, "deadline exceeded before anything was sent");
        }
        long until = Ticker.SYSTEM.nanos() + nanosLeft;
        Destination replyTo = replies.open(nanosLeft);
        String key = target.sender().duplicateId().key();
        try (PendingReplies.PendingReply pending = replies.await(key == null ? null : request.key(key))) {
            JmsMessage asked = request.withCorrelationId(pending.id()).withReplyTo(replyTo);
            JmsReceipt _ = target.call(asked);
            return reply(pending, until - Ticker.SYSTEM.nanos()).withCorrelationId(request.correlationId());
        }
    }

    private static JmsMessage reply(PendingReplies.PendingReply pending, long nanos) throws Unanswered {
        try {
            return pending.reply().get(Math.max(0, nanos), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new Unknown(Unknown.Cause.TIMEOUT, "no reply before the deadline");
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new Unknown(Unknown.Cause.INTERRUPTED, "interrupted while waiting for the reply");
        } catch (ExecutionException lost) {
            throw new Unknown(
                    Unknown.Cause.CLOSED,
                    "the reply queue was lost: " + JmsFault.describe(lost.getCause()),
                    lost.getCause());
        }
    }

    /** The number of callers waiting for a reply. */
    public int waiting() {
        return replies.waiting();
    }

    /** The number of replies that no caller was waiting for. */
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
                "receives the replies",
                since,
                replyQueue == null ? Origin.DEFAULT : Origin.GIVEN));
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
