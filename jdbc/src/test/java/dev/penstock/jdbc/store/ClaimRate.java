package dev.penstock.jdbc.store;

import dev.penstock.IdempotencyStore.KeyRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Measures claims and endings per second of the embedded store, and how long a caller waits for each. Run by hand; the
 * arguments are a file, the number of callers, and seconds. The first quarter of the time is not counted.
 */
public final class ClaimRate {
    private ClaimRate() {}

    public static void main(String[] args) throws Exception {
        int callers = Integer.parseInt(args[1]);
        long seconds = Long.parseLong(args[2]);
        List<long[]> claims = new ArrayList<>();
        List<long[]> both = new ArrayList<>();
        try (JdbcIdempotencyStore store = JdbcIdempotencyStore.inFile(Path.of(args[0]))) {
            store.open();
            long begin = System.nanoTime();
            long counted = begin + seconds * 250_000_000L;
            long end = begin + seconds * 1_000_000_000L;
            List<Thread> threads = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                String name = "payments/" + caller + "-";
                threads.add(Thread.ofVirtual().start(() -> {
                    try {
                        long[] claim = new long[100_000];
                        long[] whole = new long[100_000];
                        int count = 0;
                        for (int key = 0; System.nanoTime() < end && count < claim.length; key++) {
                            long from = System.nanoTime();
                            store.claim(new KeyRequest(
                                    name + key, "print", key + 1, Duration.ofSeconds(30), Duration.ofHours(1)));
                            long claimed = System.nanoTime();
                            store.end(name + key, key + 1, new byte[200], Duration.ofHours(1));
                            if (from >= counted) {
                                claim[count] = claimed - from;
                                whole[count++] = System.nanoTime() - from;
                            }
                        }
                        synchronized (claims) {
                            claims.add(Arrays.copyOf(claim, count));
                            both.add(Arrays.copyOf(whole, count));
                        }
                    } catch (Exception broken) {
                        broken.printStackTrace();
                    }
                }));
            }
            for (Thread thread : threads) {
                thread.join();
            }
        }
        print("claim", claims, seconds * 0.75);
        print("claim and end", both, seconds * 0.75);
    }

    private static void print(String name, List<long[]> nanos, double seconds) {
        long[] all = nanos.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        System.out.printf(
                "%s: %.0f/s, p50 %.2f ms, p99 %.2f ms%n",
                name, all.length / seconds, all[all.length / 2] / 1e6, all[(int) (all.length * 0.99)] / 1e6);
    }
}
