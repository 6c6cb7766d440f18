package dev.penstock.jms.broker;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.core.security.Role;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager;
import org.jspecify.annotations.Nullable;

/** Authenticates a single user, who may do everything. */
final class SingleUserSecurity implements ActiveMQSecurityManager {
    private final byte[] user;
    private final Supplier<String> password;

    SingleUserSecurity(String user, Supplier<String> password) {
        if (user.isEmpty() || password.get().isEmpty()) {
            throw new IllegalArgumentException("user and password must not be empty");
        }
        this.user = bytes(user);
        this.password = password;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** In constant time, to prevent timing attacks. */
    @Override
    public boolean validateUser(@Nullable String name, @Nullable String secret) {
        if (name == null || secret == null) {
            return false;
        }
        boolean isUser = MessageDigest.isEqual(user, bytes(name));
        boolean isPassword = MessageDigest.isEqual(bytes(password.get()), bytes(secret));
        return isUser && isPassword;
    }

    @Override
    public boolean validateUserAndRole(
            @Nullable String name, @Nullable String secret, Set<Role> roles, CheckType checkType) {
        return validateUser(name, secret);
    }
}
