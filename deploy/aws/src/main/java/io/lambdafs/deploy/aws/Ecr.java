package io.lambdafs.deploy.aws;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ecr.EcrClient;
import software.amazon.awssdk.services.ecr.model.ImageIdentifier;
import software.amazon.awssdk.services.ecr.model.ImageNotFoundException;

/** The image registry of an AWS account. Blocks. Confined to one thread. */
public final class Ecr implements AutoCloseable {
    private final SdkHttpClient http = UrlConnectionHttpClient.create();
    private final EcrClient ecr;

    private Ecr(StackChoice stack) {
        var builder = EcrClient.builder().region(Region.of(stack.region())).httpClient(http);
        URI endpoint = stack.endpoint();
        if (endpoint != null) {
            builder.endpointOverride(endpoint);
        }
        ecr = builder.build();
    }

    /** Opens the registry of a stack's account and region. */
    public static Ecr open(StackChoice stack) {
        return new Ecr(stack);
    }

    /** Returns whether a repository has an image under a tag. */
    public boolean has(String repository, String tag) {
        try {
            return !ecr.describeImages(asked -> asked.repositoryName(repository)
                            .imageIds(ImageIdentifier.builder().imageTag(tag).build()))
                    .imageDetails()
                    .isEmpty();
        } catch (ImageNotFoundException none) {
            return false;
        } catch (SdkException failure) {
            throw AwsFaults.of(failure, "look into the repository " + repository);
        }
    }

    /** Returns a login for registry clients, valid for twelve hours. */
    public ImageArchive.Login login() {
        try {
            String token =
                    ecr.getAuthorizationToken().authorizationData().get(0).authorizationToken();
            String[] parts = new String(Base64.getDecoder().decode(token), StandardCharsets.UTF_8).split(":", 2);
            return new ImageArchive.Login(parts[0], parts[1]);
        } catch (SdkException failure) {
            throw AwsFaults.of(failure, "log in to the image repository");
        }
    }

    @Override
    public void close() {
        ecr.close();
        http.close();
    }
}
