package io.lambdafs.rpc.objects;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A service account's key for signing requests to Google Cloud Storage. Immutable.
 *
 * @param account its e-mail address
 */
public record GcsCredentials(String account, PrivateKey key) {
    /** Environment variable with the key's file, as for Google's libraries. */
    public static final String FILE = "GOOGLE_APPLICATION_CREDENTIALS";

    private static final Pattern ESCAPE = Pattern.compile("\\\\(?:u([0-9a-fA-F]{4})|(.))");
    private static final Pattern PEM = Pattern.compile("-----(?:BEGIN|END) PRIVATE KEY-----|\\s");
    private static final int MOST_BYTES = 1 << 16;

    /**
     * Reads the JSON key file that an environment names.
     *
     * @throws FsException {@code PERMISSION_DENIED} if it names none, or one without a service account's private key
     */
    public static GcsCredentials of(Map<String, String> environment) {
        String file = environment.getOrDefault(FILE, "");
        if (file.isEmpty()) {
            throw refused("set " + FILE + " to a service account's JSON key file in their environment", null);
        }
        try {
            Path path = Path.of(file);
            String json = Files.size(path) > MOST_BYTES ? "" : Files.readString(path);
            String account = text(json, "client_email");
            byte[] pkcs8 = Base64.getDecoder()
                    .decode(PEM.matcher(text(json, "private_key")).replaceAll(""));
            if (account.isEmpty() || pkcs8.length == 0) {
                throw refused(file + " must be a service account's JSON key, with client_email and private_key", null);
            }
            PrivateKey key = KeyFactory.getInstance("RSA").generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            return new GcsCredentials(account, key);
        } catch (InvalidPathException | IOException e) {
            throw refused(FILE + " cannot be read: " + e, e);
        } catch (IllegalArgumentException | GeneralSecurityException e) {
            // Without the cause, whose message may quote the key.
            throw refused("the private_key in " + file + " is no RSA key in PKCS #8", null);
        }
    }

    private static FsException refused(String why, @Nullable Exception cause) {
        String message = "instances sign URLs for clients and have no credentials for it: " + why;
        return cause == null
                ? new FsException(ErrorCode.PERMISSION_DENIED, message)
                : new FsException(ErrorCode.PERMISSION_DENIED, message, cause);
    }

    /** Returns a string of a flat JSON object, which needs no parser; empty if absent. */
    private static String text(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\"\\s*:\\s*\"((?:[^\"\\\\]|\\\\.)*+)\"")
                .matcher(json);
        return matcher.find() ? ESCAPE.matcher(matcher.group(1)).replaceAll(GcsCredentials::unescaped) : "";
    }

    private static String unescaped(MatchResult escape) {
        String hex = escape.group(1);
        String plain = hex == null
                ? (escape.group(2).equals("n") ? "\n" : escape.group(2))
                : String.valueOf((char) Integer.parseInt(hex, 16));
        return Matcher.quoteReplacement(plain);
    }

    /** Omits the key. */
    @Override
    public String toString() {
        return "GcsCredentials[" + account + "]";
    }
}
