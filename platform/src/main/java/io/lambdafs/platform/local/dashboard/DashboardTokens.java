package io.lambdafs.platform.local.dashboard;

import io.lambdafs.platform.ApiKey;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.concurrent.TimeUnit;

/**
 * Tokens that let their holder watch the dashboard, and do nothing else: the end of their life and its MAC under the
 * management key. Each is valid for {@value #LIFE_HOURS} hours; an open page is sent a new one every minute. Immutable.
 */
final class DashboardTokens {
    static final int LIFE_HOURS = 12;

    private final ApiKey managementKey;

    DashboardTokens(ApiKey managementKey) {
        this.managementKey = managementKey;
    }

    /** Returns a new token. */
    String issue(long nowMillis) {
        String end = Long.toString(nowMillis + TimeUnit.HOURS.toMillis(LIFE_HOURS));
        return end + "." + mac(end);
    }

    boolean isValid(String token, long nowMillis) {
        int dot = token.indexOf('.');
        if (dot < 0 || !token.substring(0, dot).matches("[0-9]{1,15}")) {
            return false;
        }
        String end = token.substring(0, dot);
        boolean genuine = MessageDigest.isEqual(
                mac(end).getBytes(StandardCharsets.UTF_8),
                token.substring(dot + 1).getBytes(StandardCharsets.UTF_8));
        return genuine && nowMillis < Long.parseLong(end);
    }

    private String mac(String end) {
        return managementKey.secret().derive("dashboard until " + end);
    }
}
