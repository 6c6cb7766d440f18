package dev.penstock.udp;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.StringTokenizer;

/**
 * Counts packets that this machine dropped before they reached any socket, since this object was created: in the network cards
 * ({@code /sys/class/net/<card>/statistics}) and in the kernel's per-processor queues ({@code /proc/net/softnet_stat}, second
 * column, hexadecimal). 0 where the system has no such files.
 *
 * <p>Safe for many threads.
 */
final class MachineDrops {
    private static final String[] CARD_COUNTS = {"rx_dropped", "rx_missed_errors", "rx_fifo_errors", "rx_over_errors"};

    /** Counts nothing; for a source that is not started. */
    static final MachineDrops NONE = new MachineDrops(Path.of("/nowhere"), Path.of("/nowhere"));

    private final Path cards;
    private final Path softnet;
    private final long cardBefore;
    private final long backlogBefore;

    MachineDrops() {
        this(Path.of("/sys/class/net"), Path.of("/proc/net/softnet_stat"));
    }

    MachineDrops(Path cards, Path softnet) {
        this.cards = cards;
        this.softnet = softnet;
        this.cardBefore = cardNow();
        this.backlogBefore = backlogNow();
    }

    long card() {
        return Math.max(0, cardNow() - cardBefore);
    }

    long backlog() {
        return Math.max(0, backlogNow() - backlogBefore);
    }

    private long cardNow() {
        long sum = 0;
        try (DirectoryStream<Path> each = Files.newDirectoryStream(cards)) {
            for (Path card : each) {
                sum += ofCard(card.resolve("statistics"));
            }
        } catch (IOException | RuntimeException noSuchSystem) {
            return 0;
        }
        return sum;
    }

    /** Drivers count one loss under several of these names, so the largest counter is used, not the sum. */
    private static long ofCard(Path statistics) {
        long most = 0;
        for (String name : CARD_COUNTS) {
            try {
                most = Math.max(
                        most,
                        Long.parseLong(
                                Files.readString(statistics.resolve(name)).strip()));
            } catch (IOException | NumberFormatException notTold) {
                // This card has no such counter.
            }
        }
        return most;
    }

    private long backlogNow() {
        long sum = 0;
        try {
            for (String line : Files.readAllLines(softnet)) {
                StringTokenizer columns = new StringTokenizer(line);
                columns.nextToken();
                sum += Long.parseLong(columns.nextToken(), 16);
            }
        } catch (IOException | NumberFormatException | NoSuchElementException noSuchSystem) {
            return 0;
        }
        return sum;
    }
}
