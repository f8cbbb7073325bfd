/** Kubernetes: Knative Serving's Services, or λFS's own gateway with pods for instances, by server-side apply. */
@NullMarked
package io.lambdafs.deploy.kubernetes;

import org.jspecify.annotations.NullMarked;
