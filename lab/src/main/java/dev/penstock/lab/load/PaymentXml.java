package dev.penstock.lab.load;

import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.LongFunction;

/**
 * Makes payment transactions as a shop sends them to a gateway: about 2 KB of XML with a random merchant, amount, order
 * and customer. The same seed and number give the same bytes; different numbers never share an id.
 *
 * <p>Immutable.
 *
 * @param seed of random choices
 */
public record PaymentXml(long seed) implements LongFunction<PaymentXml.Payment> {
    private static final int BYTES = 2048;
    private static final String LETTERS = "abcdefghijklmnopqrstuvwxyz";

    /**
     * One transaction.
     *
     * @param id unique within a seed; usable as an idempotency key
     * @param xml the body, ASCII only
     */
    public record Payment(String id, String xml) {}

    @Override
    public Payment apply(long number) {
        SplittableRandom random = new SplittableRandom(mix(seed) + number * 0x9E3779B97F4A7C15L);
        // The lower half is a bijection of the number, so ids of one seed never collide.
        String id = new UUID(mix(seed ^ 0x70656e73746f636bL), mix(number)).toString();
        StringBuilder xml = new StringBuilder(BYTES + 256);
        xml.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<payment>\n");
        element(xml, "id", id);
        element(xml, "merchant", "M" + (100_000_000L + random.nextLong(900_000_000L)));
        long cents = 1 + random.nextLong(99_999);
        element(xml, "amount", cents / 100 + "." + twoDigits(cents % 100));
        element(xml, "currency", random.nextBoolean() ? "EUR" : "USD");
        element(xml, "order", "O" + random.nextLong(1_000_000_000_000L));
        element(xml, "customer", word(random, 5, 9) + " " + word(random, 6, 12));
        element(xml, "card", "4" + digits(random, 15));
        element(xml, "expires", twoDigits(1 + random.nextInt(12)) + "/" + twoDigits(27 + random.nextInt(6)));
        xml.append("  <items>\n");
        while (xml.length() < BYTES - 60) {
            xml.append("    <item quantity=\"").append(1 + random.nextInt(9)).append("\">");
            word(xml, random).append(' ');
            word(xml, random).append("</item>\n");
        }
        return new Payment(id, xml.append("  </items>\n</payment>\n").toString());
    }

    private static void element(StringBuilder xml, String name, String value) {
        xml.append("  <")
                .append(name)
                .append('>')
                .append(value)
                .append("</")
                .append(name)
                .append(">\n");
    }

    /** Without a formatter, which would be a large part of the cost of a payment load. */
    private static String twoDigits(long number) {
        return number < 10 ? "0" + number : Long.toString(number);
    }

    private static StringBuilder word(StringBuilder to, SplittableRandom random) {
        for (int left = random.nextInt(4, 11); left > 0; left--) {
            to.append(LETTERS.charAt(random.nextInt(LETTERS.length())));
        }
        return to;
    }

    private static String word(SplittableRandom random, int least, int most) {
        return text(random, LETTERS, random.nextInt(least, most + 1));
    }

    private static String digits(SplittableRandom random, int length) {
        return text(random, "0123456789", length);
    }

    private static String text(SplittableRandom random, String from, int length) {
        char[] text = new char[length];
        for (int i = 0; i < length; i++) {
            text[i] = from.charAt(random.nextInt(from.length()));
        }
        return new String(text);
    }

    /** Spreads a number over 64 bits, one to one (the finalizer of SplitMix64, Steele et al., 2014). */
    static long mix(long z) {
        long a = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        long b = (a ^ (a >>> 27)) * 0x94D049BB133111EBL;
        return b ^ (b >>> 31);
    }
}
