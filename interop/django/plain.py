"""Cases API on Django REST framework, in one file: its serializers, permissions, throttling and pagination."""

import hashlib
import json
import os
from uuid import uuid4

import django
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.db import connection, models

settings.configure(
    SECRET_KEY="interop",
    ALLOWED_HOSTS=["*"],
    ROOT_URLCONF=__name__,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATABASE"]}},
    DEFAULT_AUTO_FIELD="django.db.models.AutoField",
    INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "rest_framework"],
    MIDDLEWARE=["django.middleware.common.CommonMiddleware", f"{__name__}.request_ids"],
    APPEND_SLASH=False,
    USE_TZ=True,
    LOGGING_CONFIG=None,
    REST_FRAMEWORK={
        "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
        "DEFAULT_THROTTLE_CLASSES": ["rest_framework.throttling.UserRateThrottle"],
        "DEFAULT_THROTTLE_RATES": {"user": "100/s"},
    },
)
django.setup()

from django.urls import path  # noqa: E402
from rest_framework import authentication, exceptions, pagination, permissions, serializers, viewsets  # noqa: E402
from rest_framework.response import Response  # noqa: E402


class Case(models.Model):
    id = models.CharField(primary_key=True, max_length=40)
    tenant = models.CharField(max_length=100)
    status = models.CharField(max_length=20, default="open")
    subject = models.CharField(max_length=200)
    contact = models.JSONField(null=True)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        app_label = "cases"


class IdempotencyRecord(models.Model):
    key = models.CharField(max_length=100)
    caller = models.CharField(max_length=100)
    body_hash = models.CharField(max_length=64)
    response = models.JSONField()

    class Meta:
        app_label = "cases"


with connection.schema_editor() as editor:
    editor.create_model(Case)
    editor.create_model(IdempotencyRecord)

with open(os.environ["CALLERS"]) as file:
    CALLERS = {one["token"]: one for one in json.load(file) if one["state"] == "valid"}


def request_ids(get_response):
    def middleware(request):
        response = get_response(request)
        response["X-Request-Id"] = f"req_{uuid4().hex}"
        return response

    return middleware


class Caller:
    is_authenticated = True

    def __init__(self, known):
        self.pk = known["caller"]
        self.tenant = known["tenant"]
        self.permissions = known["permissions"]


class BearerAuthentication(authentication.TokenAuthentication):
    keyword = "Bearer"

    def authenticate_credentials(self, key):
        if key not in CALLERS:
            raise exceptions.AuthenticationFailed("Invalid token.")
        return Caller(CALLERS[key]), key


class HasPermission(permissions.BasePermission):
    def has_permission(self, request, view):
        if not request.user.is_authenticated:
            return False
        needed = "case.create" if request.method == "POST" else "case.read"
        return needed in request.user.permissions


class ContactSerializer(serializers.Serializer):
    email = serializers.EmailField()


class CaseSerializer(serializers.ModelSerializer):
    contact = ContactSerializer(required=False)
    createdAt = serializers.DateTimeField(source="created_at", read_only=True)

    class Meta:
        model = Case
        fields = ["id", "status", "subject", "contact", "createdAt"]
        read_only_fields = ["id", "status"]

    def create(self, validated_data):
        return Case.objects.create(id=f"case_{uuid4().hex}", **validated_data)


class Pages(pagination.LimitOffsetPagination):
    default_limit = 20
    max_limit = 100


class CaseViewSet(viewsets.ModelViewSet):
    authentication_classes = [BearerAuthentication]
    permission_classes = [HasPermission]
    serializer_class = CaseSerializer
    pagination_class = Pages

    def get_queryset(self):
        found = Case.objects.filter(tenant=self.request.user.tenant).order_by("created_at", "id")
        status = self.request.query_params.get("status")
        return found.filter(status=status) if status else found

    def create(self, request):
        key = request.headers.get("Idempotency-Key")
        if not key:
            raise exceptions.ValidationError({"Idempotency-Key": ["This header is required."]})
        body_hash = hashlib.sha256(request.body).hexdigest()
        before = IdempotencyRecord.objects.filter(caller=request.user.pk, key=key).first()
        if before:
            if before.body_hash != body_hash:
                return Response({"detail": "This Idempotency-Key was used with another body."}, status=409)
            return Response(before.response, status=201)
        serializer = self.get_serializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        serializer.save(tenant=request.user.tenant)
        IdempotencyRecord.objects.create(
            caller=request.user.pk, key=key, body_hash=body_hash, response=serializer.data
        )
        return Response(serializer.data, status=201)


urlpatterns = [
    path("cases", CaseViewSet.as_view({"get": "list", "post": "create"})),
    path("cases/<str:pk>", CaseViewSet.as_view({"get": "retrieve"})),
]
application = get_wsgi_application()
