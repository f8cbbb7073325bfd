package io.lambdafs.rpc.objects;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.util.Base64;

/**
 * A service account of Google's, with a new key.
 *
 * @param file its key in JSON, as Google's console writes it
 */
public record ServiceAccount(Path file, PublicKey key) {
    static final String NAME = "signer@a-project.iam.gserviceaccount.com";

    public static ServiceAccount create(Path directory) throws IOException {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(2_048);
            KeyPair pair = generator.generateKeyPair();
            String text = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                    .encodeToString(pair.getPrivate().getEncoded());
            Path file = directory.resolve("service-account.json");
            Files.writeString(file, json("PRIVATE KEY", text));
            return new ServiceAccount(file, pair.getPublic());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Returns the content of a key file, escaped as Google's libraries may do. */
    static String json(String label, String base64) {
        return """
                {
                  "type": "service_account",
                  "private_key_id": "ffff",
                  "private_key": "-----BEGIN %s-----\\n%s\\n-----END %s-----\\n",
                  "client_email": "%s",
                  "token_uri": "https:\\/\\/localhost\\/token"
                }
                """.formatted(
                label, base64.replace("\n", "\\n").replace("=", "\\u003d"), label, NAME.replace("@", "\\u0040"));
    }
}
