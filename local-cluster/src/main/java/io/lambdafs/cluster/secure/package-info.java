/** A cluster's secrets: its keys and passwords, its certificate authority and its services' certificates. */
@NullMarked
package io.lambdafs.cluster.secure;

import org.jspecify.annotations.NullMarked;
