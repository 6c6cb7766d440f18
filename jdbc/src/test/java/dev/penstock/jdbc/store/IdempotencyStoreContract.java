package dev.penstock.jdbc.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.penstock.IdempotencyStore;
import dev.penstock.IdempotencyStore.Claim;
import dev.penstock.IdempotencyStore.KeyRequest;
import dev.penstock.kit.FullRun;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The behavior of every idempotency store, in any database. */
@Timeout(300)
abstract class IdempotencyStoreContract {
    static final Duration HOUR = Duration.ofHours(1);
    static final Duration DAY = Duration.ofHours(24);

    /** The store under test, and another one over the same table, with its own connections. */
    abstract IdempotencyStore one();

    abstract IdempotencyStore other();

    static KeyRequest ask(String key, long owner) {
        return ask(key, owner, HOUR, DAY);
    }

    static KeyRequest ask(String key, long owner, Duration lease, Duration keep) {
        return new KeyRequest(key, "print of " + key, owner, lease, keep);
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void grantsAKeyOnceAndAgainToItsOwner() throws Exception {
        assertThat(one().claim(ask("k", 1))).isEqualTo(new Claim.Claimed());
        assertThat(one().claim(ask("k", 1))).isEqualTo(new Claim.Claimed());
        assertThat(other().claim(ask("k", 2))).isInstanceOfSatisfying(Claim.Running.class, running -> {
            assertThat(running.fingerprint()).isEqualTo("print of k");
            assertThat(running.left()).isBetween(Duration.ofMinutes(59), HOUR);
        });
        assertThat(other().claim(ask("l", 2))).isEqualTo(new Claim.Claimed());
        assertThat(other().claim(ask("K", 2))).isEqualTo(new Claim.Claimed());
    }

    @Test
    void claimOfAnEndedKeyReturnsItsEnding() throws Exception {
        one().claim(ask("k", -1));
        one().end("k", -1, bytes("ending"), DAY);
        assertThat(other().claim(ask("k", 2))).isInstanceOfSatisfying(Claim.Ended.class, ended -> {
            assertThat(ended.fingerprint()).isEqualTo("print of k");
            assertThat(ended.owner()).isEqualTo(-1);
            assertThat(ended.ending()).isEqualTo(bytes("ending"));
        });
        // Also by its own owner, which may have lost the answer.
        assertThat(one().claim(ask("k", -1))).isInstanceOf(Claim.Ended.class);
    }

    @Test
    void returnsALargeEndingUnchanged() throws Exception {
        byte[] large = new byte[3_000_000];
        new Random(1).nextBytes(large);
        one().claim(ask("k", 1));
        one().end("k", 1, large, DAY);
        assertThat(other().claim(ask("k", 2)))
                .isInstanceOfSatisfying(
                        Claim.Ended.class, ended -> assertThat(ended.ending()).isEqualTo(large));
    }

    @Test
    void releasedKeyIsNew() throws Exception {
        one().claim(ask("k", 1));
        one().release("k", 1);
        assertThat(other().claim(ask("k", 2))).isEqualTo(new Claim.Claimed());
    }

    @Test
    void onlyTheOwnerChangesAKey() throws Exception {
        one().claim(ask("k", 1));
        other().release("k", 2);
        other().end("k", 2, bytes("wrong"), DAY);
        assertThat(other().claim(ask("k", 2))).isInstanceOf(Claim.Running.class);
        one().end("k", 1, bytes("right"), DAY);
        one().release("k", 1);
        assertThat(other().claim(ask("k", 2)))
                .isInstanceOfSatisfying(
                        Claim.Ended.class, ended -> assertThat(ended.ending()).isEqualTo(bytes("right")));
    }

    @Test
    void lapsedKeyIsNotGrantedButMayBeTakenOver() throws Exception {
        one().claim(ask("k", 1, Duration.ZERO, DAY));
        assertThat(other().claim(ask("k", 2))).isEqualTo(new Claim.Lapsed("print of k", 1));
        assertThat(other().takeOver(ask("k", 2), 3)).isInstanceOf(Claim.Lapsed.class);
        assertThat(other().takeOver(ask("k", 2), 1)).isEqualTo(new Claim.Claimed());
        assertThat(one().takeOver(ask("k", 3), 1)).isInstanceOf(Claim.Running.class);
        // The first owner is too late.
        one().end("k", 1, bytes("late"), DAY);
        assertThat(one().claim(ask("k", 3))).isInstanceOf(Claim.Running.class);
    }

    @Test
    void endedKeyMayBeTakenOver() throws Exception {
        one().claim(ask("k", 1));
        one().end("k", 1, bytes("unknown"), DAY);
        assertThat(other().takeOver(ask("k", 2), 1)).isEqualTo(new Claim.Claimed());
        assertThat(one().claim(ask("k", 3))).isInstanceOf(Claim.Running.class);
        other().end("k", 2, bytes("known"), DAY);
        assertThat(one().claim(ask("k", 3))).isInstanceOf(Claim.Ended.class);
    }

    @Test
    void runningKeyIsNotTakenOver() throws Exception {
        one().claim(ask("k", 1));
        assertThat(other().takeOver(ask("k", 2), 1)).isInstanceOf(Claim.Running.class);
    }

    @Test
    void acceptsAnEndingAfterTheLease() throws Exception {
        one().claim(ask("k", 1, Duration.ZERO, DAY));
        one().end("k", 1, bytes("late"), DAY);
        assertThat(other().claim(ask("k", 2))).isInstanceOf(Claim.Ended.class);
    }

    @Test
    void findReturnsTheStateAndChangesNothing() throws Exception {
        assertThat(one().find("k")).isNull();
        one().claim(ask("k", 1));
        assertThat(other().find("k")).isInstanceOfSatisfying(Claim.Running.class, running -> {
            assertThat(running.fingerprint()).isEqualTo("print of k");
            assertThat(running.left()).isBetween(Duration.ofMinutes(59), HOUR);
        });
        one().end("k", 1, bytes("ending"), DAY);
        assertThat(other().find("k")).isInstanceOfSatisfying(Claim.Ended.class, ended -> {
            assertThat(ended.owner()).isEqualTo(1);
            assertThat(ended.ending()).isEqualTo(bytes("ending"));
        });
        one().claim(ask("l", 1, Duration.ZERO, DAY));
        assertThat(other().find("l")).isEqualTo(new Claim.Lapsed("print of l", 1));
        assertThat(other().find("m")).isNull();
        assertThat(one().claim(ask("m", 2))).isEqualTo(new Claim.Claimed());
        one().release("m", 2);
        assertThat(other().find("m")).isNull();
    }

    @Test
    void expiredKeyIsNotFound() throws Exception {
        one().claim(ask("k", 1));
        one().end("k", 1, bytes("ending"), Duration.ZERO);
        assertThat(other().find("k")).isNull();
    }

    /** A concurrent sweep may delete the row; the caller is then told to ask again. */
    private static Claim atRest(IdempotencyStore store, KeyRequest ask) throws Exception {
        Claim claim = store.claim(ask);
        for (int look = 0;
                look < 10
                        && claim instanceof Claim.Running running
                        && running.left().isZero();
                look++) {
            claim = store.claim(ask);
        }
        return claim;
    }

    @Test
    void expiredKeyIsNew() throws Exception {
        one().claim(ask("k", 1));
        one().end("k", 1, bytes("ending"), Duration.ZERO);
        assertThat(atRest(other(), new KeyRequest("k", "another print", 2, HOUR, DAY)))
                .isEqualTo(new Claim.Claimed());
        assertThat(one().claim(ask("k", 3)))
                .isInstanceOfSatisfying(
                        Claim.Running.class,
                        running -> assertThat(running.fingerprint()).isEqualTo("another print"));
    }

    /** Concurrent claims in any order: exactly one of them gets each key. */
    @Test
    @Tag("full")
    void oneOfManyConcurrentClaimsGetsEachKey() throws Exception {
        int keys = FullRun.sized(50, 1_000);
        int askers = 8;
        Map<String, AtomicInteger> granted = new ConcurrentHashMap<>();
        List<Callable<Boolean>> work = new ArrayList<>();
        for (int asker = 0; asker < askers; asker++) {
            IdempotencyStore store = asker % 2 == 0 ? one() : other();
            Random random = new Random(asker);
            long owner = asker;
            work.add(() -> {
                List<Integer> order = new ArrayList<>();
                for (int key = 0; key < keys; key++) {
                    order.add(random.nextInt(order.size() + 1), key);
                }
                for (int key : order) {
                    Claim claim = store.claim(ask("k" + key, owner));
                    if (claim instanceof Claim.Claimed) {
                        granted.computeIfAbsent("k" + key, any -> new AtomicInteger())
                                .incrementAndGet();
                        if (key % 2 == 0) {
                            store.end("k" + key, owner, bytes("ending " + owner), DAY);
                        }
                    }
                }
                return true;
            });
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Boolean> done : threads.invokeAll(work)) {
                assertThat(done.get()).isTrue();
            }
        }
        assertThat(granted).hasSize(keys);
        assertThat(granted.values()).allSatisfy(times -> assertThat(times).hasValue(1));
    }
}
