package dev.penstock.gateway.callers;

import dev.penstock.text.Sha256;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A new API key: the caller's name, a dot, and 256 random bits.
 *
 * @param text the key, which only the caller keeps
 * @param line its line of the key file, with the SHA-256 of the key
 */
public record ApiKey(String text, String line) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,63}");
    private static final int BYTES = 32;

    /** The length of 256 bits in Base64. */
    private static final int SECRET_LENGTH = 43;

    /** Makes a key; {@code name} is valid. */
    public static ApiKey create(String name) {
        byte[] secret = new byte[BYTES];
        new SecureRandom().nextBytes(secret);
        String key = name + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
        return new ApiKey(key, name + " " + HexFormat.of().formatHex(Sha256.of(key)));
    }

    /** Whether a text can be the name in a key: 1 to 64 letters, digits, {@code -} and {@code _}. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** The name in a text that has the form of a key; empty for any other. A secret that a person chose is too short. */
    static String nameIn(String text) {
        int dot = text.indexOf('.');
        return dot >= 0 && text.length() - dot - 1 == SECRET_LENGTH ? text.substring(0, dot) : "";
    }
}
