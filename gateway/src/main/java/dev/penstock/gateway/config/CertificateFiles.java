package dev.penstock.gateway.config;

import org.jspecify.annotations.Nullable;

/** Checks what a file says about a certificate and its key. */
public final class CertificateFiles {
    private CertificateFiles() {}

    /** Whether the certificate is given once and completely, or not at all; reports if not. Values may be null. */
    public static boolean isComplete(
            @Nullable ConfigValue certificate,
            @Nullable ConfigValue key,
            @Nullable ConfigValue store,
            @Nullable ConfigValue password) {
        if (store != null && (certificate != null || key != null)) {
            store.refuse("is combined with a certificate or key", "keep one of the two");
        } else if (certificate != null && key == null) {
            certificate.refuse("is given without 'key'", "add key: PATH, the same path when one file contains both");
        } else if (key != null && certificate == null) {
            key.refuse("is given without 'certificate'", "add certificate: PATH");
        } else if (store != null && password == null) {
            store.refuse("is given without 'password'", "add password: \"${file:PATH}\"");
        } else if (password != null && key == null && store == null) {
            password.refuse("is given without a key or key store", "add key_store: PATH, or remove it");
        } else {
            return true;
        }
        return false;
    }
}
