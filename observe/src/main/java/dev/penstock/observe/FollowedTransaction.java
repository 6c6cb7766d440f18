package dev.penstock.observe;

import dev.penstock.Busy;
import dev.penstock.CallContext;
import dev.penstock.Observation;
import dev.penstock.Unanswered;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** A transaction that may get a record. Its flow and id are in the MDC until it ends. */
final class FollowedTransaction extends FollowedAttempts {
    private static final String FLOW = "flow";
    private static final String ID = "id";

    private final TransactionLog log;
    private final FlowRecords flow;
    private final RequestDetails details;
    private final @Nullable Object request;
    private final String id;
    private final @Nullable String outerFlow;
    private final @Nullable String outerId;
    /** Set by the threads of batches. */
    private volatile List<Batch> batches = List.of();

    /** A batch in which transactions were sent. */
    private static final class Batch extends FollowedAttempts {
        private final String id;
        private final int size;

        Batch(String id, int size, long start) {
            super(start);
            this.id = id;
            this.size = size;
        }

        Map<String, Object> describe(long begin) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("id", id);
            all.put("size", size);
            all.put("at_ms", millis(start - begin));
            describe(begin, all);
            return all;
        }
    }

    FollowedTransaction(
            TransactionLog log, FlowRecords flow, RequestDetails details, @Nullable Object request, long now) {
        super(now);
        this.log = log;
        this.flow = flow;
        this.details = details;
        this.request = request;
        String given = details.id(request);
        this.id = given == null ? log.newId() : given;
        this.outerFlow = MDC.get(FLOW);
        this.outerId = MDC.get(ID);
        MDC.put(FLOW, flow.name());
        MDC.put(ID, id);
    }

    static void restore(String field, @Nullable String outer) {
        if (outer == null) {
            MDC.remove(field);
        } else {
            MDC.put(field, outer);
        }
    }

    @Override
    public Observation batch(List<Observation> all, int size, long now) {
        Batch batch = new Batch(log.newId(), size, now);
        for (Observation each : all) {
            FollowedTransaction member = (FollowedTransaction) each;
            List<Batch> more = new ArrayList<>(member.batches);
            more.add(batch);
            member.batches = more;
        }
        return batch;
    }

    @Override
    public void ended(@Nullable Object answer, @Nullable Unanswered ending, long now) {
        restore(FLOW, outerFlow);
        restore(ID, outerId);
        int status = Busy.statusOf(answer);
        String sampled = flow.sampled(status, ending, now - start, now);
        if (sampled != null) {
            long at = log.millis() - Math.round(millis(now - start));
            log.add(flow, at, record(at, status, ending, now, sampled));
        }
    }

    private Map<String, Object> record(long at, int status, @Nullable Unanswered ending, long now, String sampled) {
        Observation whole = CallContext.currentObservation();
        String key = details.key(request);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("at", Instant.ofEpochMilli(at).toString());
        all.put("id", id);
        put("trace", whole == null ? null : whole.traceId(), all);
        all.put("flow", flow.name());
        put("caller", details.caller(request), all);
        put("key", key == null ? null : TransactionLog.hash(key), all);
        all.put("ms", millis(now - start));
        all.put("ending", ending == null ? "answered" : ending.ending());
        put("cause", ending == null ? null : ending.causeName(), all);
        put("reason", ending == null ? null : ending.reason().format(), all);
        put("status", status > 0 ? status : null, all);
        all.put(TransactionLog.SAMPLED, sampled);
        describe(start, all);
        List<Batch> sent = batches;
        if (!sent.isEmpty()) {
            all.put("batches", sent.stream().map(batch -> batch.describe(start)).toList());
        }
        return all;
    }

    private static void put(String name, @Nullable Object value, Map<String, Object> to) {
        if (value != null) {
            to.put(name, value);
        }
    }
}
