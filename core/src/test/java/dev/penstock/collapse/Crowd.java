package dev.penstock.collapse;

import dev.penstock.BatchEndings;
import dev.penstock.Deadline;
import dev.penstock.Failed;
import dev.penstock.Rejected;
import dev.penstock.Service;
import dev.penstock.Ticker;
import dev.penstock.Unanswered;
import dev.penstock.Unknown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntConsumer;

/**
 * Callers who ask a great many different things, each under a deadline or none, and a target of many moods; what each of them
 * saw of it. Everybody notes what should not have been.
 *
 * <p>Safe for many threads.
 */
final class Crowd {
    /**
     * What is asked.
     *
     * @param id no other one has it
     * @param topic several may ask for the same; negative is for itself
     */
    record Ask(long id, int topic) {
        long key() {
            return topic < 0 ? -1 - id : topic;
        }
    }

    /** The answer to one. */
    record Reply(long id, int topic) {
        long key() {
            return new Ask(id, topic).key();
        }
    }

    final LongAdder answered = new LongAdder();
    final LongAdder rejected = new LongAdder();
    final LongAdder failed = new LongAdder();
    final LongAdder unknown = new LongAdder();
    /** What should not have been. */
    final Queue<String> wrongs = new ConcurrentLinkedQueue<>();

    private final Ticker ticker;
    private final long seed;
    private final int topics;
    private final AtomicLong ids = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicLongArray seen;
    private final AtomicLongArray neverSent;

    /**
     * A crowd.
     *
     * @param most how many things are asked at most
     * @param topics how many things several ask for
     */
    Crowd(Ticker ticker, long seed, int most, int topics) {
        this.ticker = ticker;
        this.seed = seed;
        this.topics = topics;
        this.seen = new AtomicLongArray(most / 64 + 1);
        this.neverSent = new AtomicLongArray(most / 64 + 1);
    }

    long ended() {
        return answered.sum() + rejected.sum() + failed.sum() + unknown.sum();
    }

    /** One asks, and notes how it ended. */
    void ask(Service<Ask, Reply> flow, Random random, Duration longest) {
        Ask ask = new Ask(ids.getAndIncrement(), random.nextInt(4) == 0 ? random.nextInt(topics) : -1);
        try {
            Reply reply = random.nextInt(3) == 0
                    ? flow.call(ask)
                    : Deadline.in(Duration.ofNanos(1 + random.nextLong(longest.toNanos())), ticker)
                            .call(() -> flow.call(ask));
            answered.increment();
            if (reply.key() != ask.key() || (ask.topic() < 0 && reply.id() != ask.id())) {
                wrongs.add(ask + " got " + reply);
            }
        } catch (Rejected ending) {
            rejected.increment();
            mark(neverSent, ask);
        } catch (Failed ending) {
            failed.increment();
        } catch (Unknown ending) {
            unknown.increment();
        } catch (Throwable unexpected) {
            wrongs.add(ask + " threw " + unexpected);
        }
    }

    /** A target that answers, waits, rejects, fails, loses, and makes mistakes, by the throw of a die. */
    Service<List<Ask>, BatchEndings<Reply>> target(IntConsumer works) {
        return asks -> {
            Random random = new Random(seed ^ (calls.incrementAndGet() * 0x9E3779B97F4A7C15L));
            works.accept(random.nextInt(8));
            int die = random.nextInt(40);
            if (die == 0) {
                throw new Rejected(Rejected.Cause.POOL, "none free");
            }
            if (die == 1) {
                throw new Failed(Failed.Cause.CONNECT, "refused");
            }
            if (die < 10) {
                asks.forEach(ask -> mark(seen, ask));
                return misbehave(die, asks.size());
            }
            return each(asks, random);
        };
    }

    private static BatchEndings<Reply> misbehave(int die, int size) throws Exception {
        switch (die) {
            case 2, 3, 4 -> throw new Failed(Failed.Cause.UNDONE, "rolled back");
            case 5 -> throw new Failed(Failed.Cause.REFUSED, "no");
            case 6 -> throw new Unknown(Unknown.Cause.CLOSED, "lost");
            case 7 -> throw new IllegalStateException("a bug");
            case 8 -> throw new StackOverflowError();
            default -> {
                return BatchEndings.<Reply>ofSize(size + 1).build();
            }
        }
    }

    private BatchEndings<Reply> each(List<Ask> asks, Random random) {
        BatchEndings.Builder<Reply> endings = BatchEndings.ofSize(asks.size());
        for (int place = 0; place < asks.size(); place++) {
            Ask ask = asks.get(place);
            int die = random.nextInt(20);
            if (die == 0) {
                endings.ended(place, new Rejected(Rejected.Cause.POOL, "none free"));
                continue;
            }
            mark(seen, ask);
            switch (die) {
                case 1 -> endings.ended(place, new Failed(Failed.Cause.REFUSED, "no"));
                case 2 -> endings.ended(place, new Unknown(Unknown.Cause.CLOSED, "lost"));
                case 3 -> {} // forgotten
                default -> endings.answered(place, new Reply(ask.id(), ask.topic()));
            }
        }
        return endings.build();
    }

    /** The same target, but it answers those it answers in any order, and some of them twice. */
    Service<List<Ask>, List<Reply>> keyed(IntConsumer works) {
        Service<List<Ask>, BatchEndings<Reply>> target = target(works);
        return asks -> {
            Set<Long> keys = new HashSet<>();
            asks.forEach(ask -> {
                if (!keys.add(ask.key())) {
                    wrongs.add("two of a key in one batch: " + asks);
                }
            });
            BatchEndings<Reply> endings = target.call(asks);
            List<Reply> replies = new ArrayList<>();
            for (int place = 0; place < endings.size(); place++) {
                try {
                    replies.add(endings.answer(place));
                } catch (Unanswered none) {
                    mark(seen, asks.get(Math.min(place, asks.size() - 1)));
                }
            }
            if (replies.size() % 7 == 1) {
                replies.add(replies.getFirst());
            }
            Collections.shuffle(replies, new Random(seed));
            return replies;
        };
    }

    private static void mark(AtomicLongArray marks, Ask ask) {
        marks.accumulateAndGet((int) (ask.id() / 64), 1L << ask.id() % 64, (before, bit) -> before | bit);
    }

    /** Notes what was told to be never sent, and was. */
    void compare() {
        for (int word = 0; word < seen.length(); word++) {
            if ((seen.get(word) & neverSent.get(word)) != 0) {
                wrongs.add("rejected, and yet sent: one of 64 from " + 64L * word);
            }
        }
    }
}
