/**
 * The gateway on Kubernetes: an {@link io.lambdafs.platform.local.instance.InstanceLauncher} that runs every instance as a pod. What an
 * instance is made of (image, volumes, secrets) stands in a template that the cluster's operator writes; what differs from instance to
 * instance is filled in here.
 */
@NullMarked
package io.lambdafs.platform.kubernetes;

import org.jspecify.annotations.NullMarked;
