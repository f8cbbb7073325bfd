package io.lambdafs.rpc.objects;

import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.Signature;
import java.time.Duration;
import java.util.Map;

/**
 * Presigns requests for a bucket of Google Cloud Storage: Google's V4 signature with a service account's key, in the
 * query. Thread-safe.
 */
public final class GcsSigner implements ObjectSigner {
    private static final String SERVER = "https://storage.googleapis.com";
    /** As in Google's libraries: the address of an emulator, which needs no credentials. */
    private static final String EMULATOR = "STORAGE_EMULATOR_HOST";
    /** No object has generation 0, so there must be none. */
    private static final Map<String, String> PUT_HEADERS = Map.of("x-goog-if-generation-match", "0");

    private final V4Query query;
    private final String path;

    /**
     * Creates a signer.
     *
     * @param place whose objects requests are signed for
     * @param server Google's, or an emulator
     */
    public GcsSigner(ObjectPlace place, URI server, GcsCredentials credentials) {
        PrivateKey key = credentials.key();
        query = new V4Query(
                server,
                "GOOG4-RSA-SHA256",
                "Goog",
                credentials.account(),
                "auto/storage/goog4_request",
                (date, text) -> signature(key, text));
        // In the path, because a bucket with a dot has no matching certificate.
        path = "/" + place.bucket() + "/" + place.prefix();
    }

    /** Returns the address of Google's server, or of the emulator in {@code STORAGE_EMULATOR_HOST}. */
    public static URI server(Map<String, String> environment) {
        String emulator = environment.getOrDefault(EMULATOR, "");
        return URI.create(emulator.isEmpty() ? SERVER : emulator.contains("://") ? emulator : "http://" + emulator);
    }

    /** Returns whether {@link #server} is an emulator. */
    public static boolean isEmulated(Map<String, String> environment) {
        return !environment.getOrDefault(EMULATOR, "").isEmpty();
    }

    @Override
    public SignedRequest sign(SignedRequest.Method method, String key, long nowMillis, Duration life) {
        Map<String, String> headers = method == SignedRequest.Method.PUT ? PUT_HEADERS : Map.of();
        String url = query.url(method.name(), path + key, headers, Map.of(), nowMillis, life);
        return new SignedRequest(method, url, headers);
    }

    private static byte[] signature(PrivateKey key, byte[] text) {
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(key);
            signature.update(text);
            return signature.sign();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
