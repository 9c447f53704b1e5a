# Platen with its own Node, for one architecture, out of what `npm run dist` leaves in release/.
#
#   npm run dist && docker build --build-arg ARCHITECTURE=x64 -t platen .
#   docker build --target chromium -t platen:chromium .      with screenshots and html templates by Chromium
#
# BASE needs the C and C++ libraries and a shell; tini and Chromium are installed where it has none.

ARG BASE=docker.io/library/debian:bookworm-slim
FROM ${BASE} AS common
ARG ARCHITECTURE=x64
ARG VERSION=0.1.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Platen" \
      org.opencontainers.image.description="Renders stored templates to PNG, JPEG, WebP and vector PDF" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
SHELL ["/bin/sh", "-eu", "-c"]
# hadolint ignore=DL3008
RUN if ! command -v tini; then \
      apt-get update; \
      apt-get install -y --no-install-recommends tini; \
      rm -rf /var/lib/apt/lists/*; \
    fi
# /data, for the image's user and, as OpenShift runs containers, for any user in group 0. Copied with the folder above it,
# because buildah gives this mode only to what is inside of what it copies.
COPY --chown=10001:0 --chmod=0775 packaging/container/volume/ /
COPY release/platen-linux-${ARCHITECTURE} /opt/platen
ENV HOST=0.0.0.0 PORT=3000 PLATEN_DATA=/data
EXPOSE 3000
VOLUME /data
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s CMD ["/opt/platen/bin/platen", "healthcheck"]
# The server ends within 28 s of it.
STOPSIGNAL SIGTERM
ENTRYPOINT ["tini", "--", "/opt/platen/bin/platen"]
CMD ["serve"]

FROM common AS chromium
# hadolint ignore=DL3008
RUN if ! [ -x /usr/lib/chromium/chromium-headless-shell ]; then \
      apt-get update; \
      apt-get install -y --no-install-recommends chromium-headless-shell fonts-noto-core libnss3-tools; \
      rm -rf /var/lib/apt/lists/*; \
    fi
USER 10001:0

FROM common AS platen
USER 10001:0
