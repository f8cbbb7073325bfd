package io.lambdafs.rpc.objects;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Signs requests for a container of Azure Blob Storage: a service SAS, under the account's key. Thread-safe. */
public final class AzureSigner implements ObjectSigner {
    /** Environment variable with the credentials. */
    public static final String CONNECTION = "AZURE_STORAGE_CONNECTION_STRING";

    private static final String VERSION = "2021-12-02";
    private static final String HMAC = "HmacSHA256";
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss'Z'").withZone(ZoneOffset.UTC);
    private static final Map<String, String> PUT_HEADERS = Map.of("if-none-match", "*", "x-ms-blob-type", "BlockBlob");

    private final ObjectPlace place;
    private final String account;
    private final byte[] key;
    private final String endpoint;

    private AzureSigner(ObjectPlace place, String account, byte[] key, String endpoint) {
        this.place = place;
        this.account = account;
        this.key = key;
        this.endpoint = endpoint;
    }

    /**
     * Creates a signer.
     *
     * @param connection string of an account, in the Azure portal's form
     * @throws FsException {@code PERMISSION_DENIED} if it does not contain an account and its key
     */
    public static AzureSigner of(ObjectPlace place, String connection) {
        Map<String, String> parts = new HashMap<>();
        for (String part : connection.split(";", -1)) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(part.substring(0, equals), part.substring(equals + 1));
            }
        }
        String account = parts.get("AccountName");
        String key = parts.get("AccountKey");
        if (account == null || key == null) {
            throw new FsException(
                    ErrorCode.PERMISSION_DENIED,
                    "instances sign URLs for clients and have no credentials for it: " + CONNECTION
                            + " must have AccountName and AccountKey");
        }
        String endpoint = parts.getOrDefault(
                "BlobEndpoint",
                parts.getOrDefault("DefaultEndpointsProtocol", "https") + "://" + account + ".blob."
                        + parts.getOrDefault("EndpointSuffix", "core.windows.net"));
        return new AzureSigner(place, account, Base64.getDecoder().decode(key), endpoint.replaceFirst("/+$", ""));
    }

    @Override
    public SignedRequest sign(SignedRequest.Method method, String objectKey, long nowMillis, Duration life) {
        // Permission to create does not allow replacing.
        String permission = switch (method) {
            case PUT -> "c";
            case GET -> "r";
            case DELETE -> "d";
        };
        String expiry = TIME.format(Instant.ofEpochMilli(nowMillis).plus(life));
        String path = "/" + place.bucket() + "/" + place.name(objectKey);
        // Start, identifier, address, protocol, snapshot, encryption scope and reply headers are left empty.
        String toSign = permission + "\n\n" + expiry + "\n/blob/" + account + path + "\n\n\n\n" + VERSION + "\nb"
                + "\n".repeat(7);
        String url = endpoint + V4Query.path(path) + "?sv=" + VERSION + "&sr=b&sp=" + permission + "&se="
                + encoded(expiry) + "&sig=" + encoded(signature(toSign));
        return new SignedRequest(method, url, method == SignedRequest.Method.PUT ? PUT_HEADERS : Map.of());
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private String signature(String text) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(key, HMAC));
            return Base64.getEncoder().encodeToString(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }
}
