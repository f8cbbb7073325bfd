package io.lambdafs.datanode.s3;

import io.lambdafs.rpc.objects.ObjectPlace;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/**
 * The place of objects, and the access to it. Immutable.
 *
 * @param endpoint of an object store other than Amazon's, which is addressed with the bucket in the path
 * @param encryption the server-side encryption of objects: {@code AES256}, {@code aws:kms}; empty for the bucket's
 *     default
 * @param spool a folder of this process alone, for parts being uploaded
 * @param partBytes the size of a part of a multipart upload
 * @param silence how long the store may stay silent before a request is retried
 */
record S3Settings(
        ObjectPlace place,
        Optional<URI> endpoint,
        Optional<String> encryption,
        Path spool,
        int partBytes,
        Duration silence,
        AwsCredentialsProvider credentials) {
    private static final int PART_BYTES = 16 << 20;
    private static final Duration SILENCE = Duration.ofSeconds(15);

    /**
     * Returns settings with the SDK's chain of credentials: environment, system properties, profile, container,
     * machine.
     */
    static S3Settings of(ObjectPlace place, Optional<URI> endpoint, Optional<String> encryption, Path spool) {
        return new S3Settings(
                place,
                endpoint,
                encryption,
                spool,
                PART_BYTES,
                SILENCE,
                DefaultCredentialsProvider.builder().build());
    }
}
