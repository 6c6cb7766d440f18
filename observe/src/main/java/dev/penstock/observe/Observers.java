package dev.penstock.observe;

import dev.penstock.Observation;
import dev.penstock.Observation.Observer;
import dev.penstock.Unanswered;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/** Lets several observers follow one flow. */
public final class Observers {
    /** The field of the MDC with the id of the trace. */
    static final String TRACE = "trace_id";

    private Observers() {}

    /**
     * An observer of several, which are called in order. The id of the trace that one of them is part of is known to the others
     * ({@link Observation#traceId()} of the current observation), and in the MDC as {@code trace_id}.
     *
     * @param observers the observers
     * @return one observer
     */
    public static Observer all(Observer... observers) {
        List<Observer> each = List.of(observers);
        return (flow, request, now) -> {
            @Nullable Observation[] parts = new @Nullable Observation[each.size()];
            boolean any = false;
            for (int i = 0; i < parts.length; i++) {
                parts[i] = each.get(i).begin(flow, request, now);
                any |= parts[i] != null;
            }
            return any ? new All(parts).begun() : null;
        };
    }

    /** Some may be null: each part stays at the place of its observer. */
    private static final class All implements Observation {
        private final @Nullable Observation[] parts;
        private @Nullable String trace;
        private @Nullable String outerTrace;

        All(@Nullable Observation[] parts) {
            this.parts = parts;
        }

        All begun() {
            trace = traceId();
            if (trace != null) {
                outerTrace = MDC.get(TRACE);
                MDC.put(TRACE, trace);
            }
            return this;
        }

        private void each(Consumer<Observation> call) {
            for (Observation part : parts) {
                if (part != null) {
                    call.accept(part);
                }
            }
        }

        @Override
        public @Nullable String traceId() {
            for (Observation part : parts) {
                String id = part == null ? null : part.traceId();
                if (id != null) {
                    return id;
                }
            }
            return null;
        }

        @Override
        public void waited(Wait what, long nanos) {
            each(part -> part.waited(what, nanos));
        }

        @Override
        public void attempt(long now) {
            each(part -> part.attempt(now));
        }

        @Override
        public void attempted(@Nullable Object answer, @Nullable Throwable thrown, long now) {
            each(part -> part.attempted(answer, thrown, now));
        }

        @Override
        public void exchanged(Exchange exchange) {
            each(part -> part.exchanged(exchange));
        }

        @Override
        public boolean readsAttributes() {
            for (Observation part : parts) {
                if (part != null && part.readsAttributes()) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public void attribute(String name, Object value) {
            each(part -> part.attribute(name, value));
        }

        @Override
        public void propagate(int index, int size, BiConsumer<String, String> fields) {
            each(part -> part.propagate(index, size, fields));
        }

        @Override
        public void propagate(BiConsumer<String, String> fields) {
            each(part -> part.propagate(fields));
        }

        @Override
        public @Nullable Observation batch(List<Observation> all, int size, long now) {
            @Nullable Observation[] batches = new @Nullable Observation[parts.length];
            boolean any = false;
            for (int i = 0; i < parts.length; i++) {
                List<Observation> followed = new ArrayList<>();
                for (Observation each : all) {
                    Observation part = ((All) each).parts[i];
                    if (part != null) {
                        followed.add(part);
                    }
                }
                batches[i] = followed.isEmpty() ? null : followed.getFirst().batch(followed, size, now);
                any |= batches[i] != null;
            }
            return any ? new All(batches) : null;
        }

        @Override
        public void ended(@Nullable Object answer, @Nullable Unanswered ending, long now) {
            each(part -> part.ended(answer, ending, now));
            if (trace != null) {
                FollowedTransaction.restore(TRACE, outerTrace);
            }
        }
    }
}
