package io.lambdafs.datanode.s3;

import io.lambdafs.rpc.objects.ObjectPlace;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.DefaultCredentialsProvider;

/**
 * Where objects are, and how they are reached. Immutable.
 *
 * @param endpoint of an object store other than Amazon's: it is spoken to with the bucket in the path
 * @param encryption what the store encrypts objects with: {@code AES256}, {@code aws:kms}; empty for what the bucket says
 * @param spool a folder of this process alone, for parts that are being uploaded
 * @param partBytes of an upload in several parts
 * @param silence how long the store may say nothing before a request is tried again
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

    /** With the SDK's chain of credentials: environment, system properties, profile, container, machine. */
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
