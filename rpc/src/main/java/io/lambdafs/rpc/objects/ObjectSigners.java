package io.lambdafs.rpc.objects;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Creates the signers of object stores from their locations. Stateless. */
public final class ObjectSigners {
    private ObjectSigners() {}

    /**
     * Returns signers by store name.
     *
     * @param places like {@code s3://BUCKET/PREFIX}, by store name
     * @param endpoint of S3-compatible stores other than Amazon's; empty for Amazon's
     * @param encryption server-side encryption for S3-compatible stores; empty for the bucket's default
     * @param environment contains the credentials
     * @throws io.lambdafs.model.FsException {@code PERMISSION_DENIED} if it has none
     * @throws IllegalArgumentException if a location is invalid
     */
    public static Map<String, ObjectSigner> of(
            Map<String, String> places, String endpoint, String encryption, Map<String, String> environment) {
        Map<String, ObjectSigner> signers = new HashMap<>();
        places.forEach((name, text) -> {
            ObjectPlace place = ObjectPlace.of(text);
            signers.put(name, signer(place, endpoint, encryption, environment));
        });
        return signers;
    }

    private static ObjectSigner signer(
            ObjectPlace place, String endpoint, String encryption, Map<String, String> environment) {
        if (place.isAzure()) {
            return AzureSigner.of(place, environment.getOrDefault(AzureSigner.CONNECTION, ""));
        }
        if (!place.isS3()) {
            return new GcsSigner(place, GcsSigner.server(environment), GcsCredentials.of(environment));
        }
        return S3Signer.of(
                place,
                Optional.of(endpoint).filter(each -> !each.isEmpty()).map(ObjectPlace::endpoint),
                Optional.of(encryption).filter(each -> !each.isEmpty()),
                S3Signer.region(environment),
                S3Credentials.of(environment));
    }
}
