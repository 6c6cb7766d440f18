package dev.penstock.text;

import java.net.InetAddress;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A block of IP addresses (RFC 4632, RFC 4291 section 2.3). Immutable.
 *
 * @param address with all bits after the prefix 0
 * @param bits the length of the prefix
 */
public record Cidr(InetAddress address, int bits) {
    private static final Pattern WRITTEN =
            Pattern.compile("(\\d{1,3}(?:\\.\\d{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)(?:/(\\d{1,3}))?");

    /** Validates the block. */
    public Cidr {
        if (bits < 0 || bits > address.getAddress().length * 8) {
            throw new IllegalArgumentException("the prefix of a block is 0 to 32 bits, for IPv6 0 to 128");
        }
        byte[] network = address.getAddress();
        if (!Arrays.equals(network, masked(network, bits))) {
            throw new IllegalArgumentException("the block has bits after its prefix of " + bits + " bits");
        }
    }

    /**
     * Reads a block.
     *
     * @param text for instance {@code 10.0.0.0/8} or {@code fd00::/8}; an address alone is a block of one
     * @throws IllegalArgumentException if it is none
     */
    public static Cidr of(String text) {
        Matcher parts = WRITTEN.matcher(text);
        if (!parts.matches()) {
            throw new IllegalArgumentException("a block is an IP address, a slash and a number");
        }
        InetAddress network = InetAddress.ofLiteral(parts.group(1));
        String bits = parts.group(2);
        return new Cidr(network, bits == null ? network.getAddress().length * 8 : Integer.parseInt(bits));
    }

    private static byte[] masked(byte[] address, int bits) {
        byte[] masked = Arrays.copyOf(address, address.length);
        for (int i = 0; i < masked.length; i++) {
            int left = Math.clamp(bits - 8L * i, 0, 8);
            masked[i] &= (byte) (0xFF00 >> left);
        }
        return masked;
    }

    /** Whether an address is in the block. */
    public boolean contains(InetAddress other) {
        byte[] bytes = other.getAddress();
        byte[] network = address.getAddress();
        return bytes.length == network.length && Arrays.equals(masked(bytes, bits), network);
    }
}
