package dev.penstock.udp;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import java.util.StringTokenizer;

/**
 * What this machine has dropped before datagrams reached any socket, since it was first asked: in its network cards
 * ({@code /sys/class/net/<card>/statistics}) and in the kernel's queues of the processors ({@code /proc/net/softnet_stat}, second column,
 * in base 16). 0 where the system has no such files.
 *
 * <p>Safe for many threads.
 */
final class MachineDrops {
    private static final String[] CARD_COUNTS = {"rx_dropped", "rx_missed_errors", "rx_fifo_errors", "rx_over_errors"};

    /** Of who has not begun to count. */
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

    /** Drivers count one loss under several of these names, so the largest is taken and not their sum. */
    private static long ofCard(Path statistics) {
        long most = 0;
        for (String name : CARD_COUNTS) {
            try {
                most = Math.max(
                        most,
                        Long.parseLong(
                                Files.readString(statistics.resolve(name)).strip()));
            } catch (IOException | NumberFormatException notTold) {
                // This card has no such count.
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
